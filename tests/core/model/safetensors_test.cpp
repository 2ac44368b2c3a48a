// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

#include "core/base/error.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace maskscope {
namespace {

using test::contentOf;
using test::TemporaryFolder;

const std::filesystem::path kCases = MASKSCOPE_TEST_DATA "/cases/safetensors";

std::optional<Error> errorOf(const std::filesystem::path& path) {
    try {
        const SafetensorsFile file(path);
        return std::nullopt;
    } catch (const Failure& failure) {
        return failure.error();
    }
}

std::string fileWith(const std::string& header, const std::string& data) {
    std::string prefix(8, '\0');
    for (std::size_t i = 0; i < prefix.size(); ++i)
        prefix[i] = static_cast<char>(header.size() >> (8 * i));
    return prefix + header + data;
}

template <class T>
std::vector<T> valuesOf(const StoredTensor& tensor) {
    std::vector<T> values(tensor.bytes.size() / sizeof(T));
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    return values;
}

template <class T>
std::span<const std::byte> bytesFrom(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

TEST(Safetensors, EveryCaseHasItsVerdict) {
    const auto expected = nlohmann::json::parse(contentOf(kCases / "expected.json"));
    int seen = 0;
    for (const auto& entry : expected.at("safetensors")) {
        const auto file = entry.at("file").get<std::string>();
        SCOPED_TRACE(file);
        const auto verdict = entry.at("verdict").get<std::string>();
        const auto error = errorOf(kCases / file);
        if (verdict != "either") {
            EXPECT_EQ(error.has_value(), verdict == "reject") << (error ? error->sentence : "read");
        }
        if (error) {
            EXPECT_EQ(error->kind, ErrorKind::Model);
            EXPECT_NE(error->sentence.find(file), std::string::npos) << error->sentence;
            EXPECT_EQ(std::ranges::count(error->sentence, '\n'), 0) << error->sentence;
        }
        ++seen;
    }
    EXPECT_EQ(seen, 34);
}

TEST(Safetensors, ReadsExactValues) {
    const SafetensorsFile plain(kCases / "ok_min.safetensors");
    ASSERT_EQ(plain.tensors().size(), 1U);
    EXPECT_EQ(plain.tensors()[0].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(valuesOf<float>(*plain.find("a")), (std::vector<float>{0, 1, 2, 3, 4, 5}));

    const SafetensorsFile unordered(kCases / "ok_unordered.safetensors");
    EXPECT_EQ(valuesOf<float>(*unordered.find("b")), (std::vector<float>{4, 5}));

    const SafetensorsFile brain(kCases / "ok_bf16.safetensors");
    EXPECT_EQ(brain.tensors()[0].dtype, Dtype::BF16);
    std::vector<float> values;
    for (const std::uint16_t half : valuesOf<std::uint16_t>(brain.tensors()[0])) {
        const std::uint32_t bits = std::uint32_t{half} << 16;
        std::memcpy(&values.emplace_back(), &bits, sizeof bits);
    }
    EXPECT_EQ(values,
        (std::vector<float>{
            0, 1, -2.5F, 3.140625F, 65280, std::numeric_limits<float>::infinity()}));
}

TEST(Safetensors, FindsOnlyNamesItHas) {
    const SafetensorsFile file(kCases / "ok_utf8_names.safetensors");
    for (const StoredTensor& tensor : file.tensors())
        EXPECT_EQ(file.find(tensor.name), &tensor);
    EXPECT_EQ(file.find("no such tensor"), nullptr);
    EXPECT_EQ(file.find(""), nullptr);
}

TEST(Safetensors, NamesWhatTheFileReallyIs) {
    const TemporaryFolder folder;
    const std::string whole = contentOf(kCases / "ok_min.safetensors");
    const std::vector<std::pair<std::string, std::string>> files{
        {"\x80\x02\x8a\x0al\xfc\x9c\x46\xf9", "pickle"},
        {"PK\x03\x04\x14...........", "zip"},
        {"<html><body>404</body></html>", "web page"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "Git LFS"},
        {"GGUF\x03....................", "GGUF"},
        {"{\"error\": \"not found\"}", "JSON"},
        {"", "empty"},
        {whole.substr(0, 5), "5 bytes"},
        {whole.substr(0, 40), "download it again"},
        {whole.substr(0, whole.size() - 1), "incomplete"},
        {fileWith("{\"a\":{\"dtype\":\"F4\",\"shape\":[],\"data_offsets\":[0,1]}}", "x"), "F4"},
        {fileWith("{\"a\":{},\"a\":{}}", ""), "twice"},
        {fileWith(std::string(R"({"__metadata__":{"format":1}})"), ""), "__metadata__"},
        {fileWith(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":[]}})", "x"), "\"x\""},
        {fileWith(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", "x"), "size"},
        {fileWith(" {}", ""), "begin"},
        {fileWith("{} x", ""), "not JSON"},
        {fileWith("{\"\xff\":{}}", ""), "not JSON"},
    };
    for (const auto& [content, word] : files) {
        const auto error = errorOf(folder.write("model.safetensors", content));
        ASSERT_TRUE(error) << word;
        EXPECT_NE(error->sentence.find(word), std::string::npos) << error->sentence;
    }
}

TEST(Safetensors, StatesTheHeaderCap) {
    const auto error = errorOf(kCases / "bad_len_100mb_plus_1.safetensors");
    ASSERT_TRUE(error);
    EXPECT_NE(error->sentence.find("100000001"), std::string::npos) << error->sentence;
    EXPECT_NE(error->sentence.find("100000000"), std::string::npos) << error->sentence;
}

TEST(Safetensors, RefusesWhatIsNotAFile) {
    const TemporaryFolder folder;
    EXPECT_NE(errorOf(folder.path())->sentence.find("folder"), std::string::npos);
    EXPECT_NE(errorOf(folder.path() / "missing")->sentence.find("No such file"), std::string::npos);
    EXPECT_NE(errorOf("/dev/zero")->sentence.find("regular"), std::string::npos);
}

TEST(Safetensors, ErrorsStayOneReadableLine) {
    const TemporaryFolder folder;
    const auto path = folder.write("a\nb\xff.safetensors", "<html>");
    EXPECT_NE(errorOf(path)->sentence.find("a b\xEF\xBF\xBD.safetensors"), std::string::npos);
    const std::string longName(5000, 'n');
    const auto error = errorOf(folder.write("long", fileWith("{\"" + longName + "\":1}", "")));
    EXPECT_LT(error->sentence.size(), 500U);
}

TEST(Safetensors, WritesWhatItReads) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "größe.safetensors";
    const std::vector<float> matrix{1, 2, 3, 4, 5, 6};
    const std::vector<std::int64_t> scalar{-7};
    const std::vector<std::uint8_t> odd{1, 0, 1};
    const std::vector<StoredTensor> tensors{
        {"odd", Dtype::Bool, {3}, bytesFrom(odd)},
        {"matrix", Dtype::F32, {2, 3}, bytesFrom(matrix)},
        {"empty", Dtype::F16, {0, 4}, {}},
        {"scalar", Dtype::I64, {}, bytesFrom(scalar)},
    };
    writeSafetensors(path, tensors, {{"format", "pt"}});

    const SafetensorsFile file(path);
    EXPECT_EQ(file.metadata(), (std::map<std::string, std::string>{{"format", "pt"}}));
    ASSERT_EQ(file.tensors().size(), tensors.size());
    for (const StoredTensor& tensor : tensors) {
        const StoredTensor* read = file.find(tensor.name);
        ASSERT_NE(read, nullptr) << tensor.name;
        EXPECT_EQ(read->dtype, tensor.dtype);
        EXPECT_EQ(read->shape, tensor.shape);
        EXPECT_TRUE(std::ranges::equal(read->bytes, tensor.bytes)) << tensor.name;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read->bytes.data()) % bytesOf(read->dtype), 0U);
    }
}

// Made by tests/golden/safetensors_written.py with the Python library from the same values.
TEST(Safetensors, WritesTheSameTensorsAsThePythonLibrary) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "model.safetensors";
    const std::vector<float> b{1, 2, 3, 4, 5, 6};
    const std::vector<std::uint16_t> a{0x3F80, 0xC020};
    const std::vector<std::int64_t> d{-7};
    const std::vector<std::uint8_t> c{1, 0, 1};
    const std::vector<StoredTensor> tensors{
        {"a", Dtype::BF16, {2}, bytesFrom(a)},
        {"b", Dtype::F32, {2, 3}, bytesFrom(b)},
        {"c", Dtype::U8, {3}, bytesFrom(c)},
        {"d", Dtype::I64, {1}, bytesFrom(d)},
    };
    writeSafetensors(path, tensors);
    const SafetensorsFile ours(path);
    const SafetensorsFile python(MASKSCOPE_TEST_DATA "/golden/safetensors_written.safetensors");
    ASSERT_EQ(ours.tensors().size(), python.tensors().size());
    for (std::size_t i = 0; i < ours.tensors().size(); ++i) {
        EXPECT_EQ(ours.tensors()[i].name, python.tensors()[i].name);
        EXPECT_TRUE(std::ranges::equal(ours.tensors()[i].bytes, python.tensors()[i].bytes));
    }
}

TEST(Safetensors, WritingReplacesWholeFilesOnly) {
    const TemporaryFolder folder;
    const auto path = folder.write("model.safetensors", "before");
    const std::vector<float> values{1, 2};
    const std::vector<StoredTensor> wrong{{"a", Dtype::F32, {3}, bytesFrom(values)}};
    EXPECT_THROW(writeSafetensors(path, wrong), Failure);
    EXPECT_EQ(contentOf(path), "before");
    const std::vector<StoredTensor> twice{
        {"a", Dtype::F32, {2}, bytesFrom(values)}, {"a", Dtype::F32, {2}, bytesFrom(values)}};
    EXPECT_THROW(writeSafetensors(path, twice), Failure);
    EXPECT_THROW(writeSafetensors(folder.path() / "none" / "model.safetensors", {}), Failure);

    writeSafetensors(path, {});
    EXPECT_TRUE(SafetensorsFile(path).tensors().empty());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

} // namespace
} // namespace maskscope
