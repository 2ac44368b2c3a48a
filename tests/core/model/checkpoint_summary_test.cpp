// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint_summary.h"

#include "core/base/error.h"
#include "core/model/checkpoint_files.h"
#include "core/model/safetensors.h"
#include "tests/temporary_folder.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

using test::TemporaryFolder;

const std::filesystem::path kCases = MASKSCOPE_TEST_DATA "/cases/safetensors";

void writeShard(const std::filesystem::path& path, const std::vector<std::string>& names) {
    const std::vector<std::uint16_t> values(6);
    std::vector<StoredTensor> tensors;
    tensors.reserve(names.size());
    for (const std::string& name : names)
        tensors.push_back({name, Dtype::BF16, {2, 3}, std::as_bytes(std::span(values))});
    writeSafetensors(path, tensors, {{"format", "pt"}});
}

std::string sentenceFor(const std::filesystem::path& path) {
    try {
        summariseCheckpoint(path);
        return "accepted";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Model);
        return failure.error().sentence;
    }
}

TEST(CheckpointSummary, DescribesOneFile) {
    const CheckpointSummary summary
        = summariseCheckpoint(MASKSCOPE_TEST_DATA "/golden/safetensors_written.safetensors");
    ASSERT_EQ(summary.tensors.size(), 4U);
    EXPECT_EQ(summary.tensors[1].name, "b");
    EXPECT_EQ(summary.tensors[1].dtype, Dtype::F32);
    EXPECT_EQ(summary.tensors[1].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(summary.tensors[1].bytes, 24);
    EXPECT_EQ(summary.byDtype.size(), 4U);
    EXPECT_EQ(summary.byDtype.at(Dtype::BF16).bytes, 4);
    EXPECT_EQ(summary.byDtype.at(Dtype::I64).elements, 1);
    EXPECT_EQ(summary.total.tensors, 4);
    EXPECT_EQ(summary.total.elements, 2 + 6 + 3 + 1);
    EXPECT_EQ(summary.total.bytes, 4 + 24 + 3 + 8);
}

TEST(CheckpointSummary, CountsScalarsAndEmptyTensors) {
    EXPECT_EQ(summariseCheckpoint(kCases / "ok_scalar.safetensors").total.elements, 1);
    const auto none = summariseCheckpoint(kCases / "ok_no_tensors.safetensors");
    EXPECT_TRUE(none.tensors.empty());
    EXPECT_TRUE(none.byDtype.empty());
    EXPECT_EQ(none.total.bytes, 0);
}

TEST(CheckpointSummary, AddsUpTheShardsOfAFolder) {
    const TemporaryFolder folder;
    writeShard(folder.path() / "model-1.safetensors", {"b", "d"});
    writeShard(folder.path() / "model-2.safetensors", {"a", "c"});
    folder.write("model.safetensors.index.json",
        R"({"weight_map": {"a": "model-2.safetensors", "b": "model-1.safetensors",
            "c": "model-2.safetensors", "d": "model-1.safetensors"}})");
    EXPECT_EQ(checkpointFiles(folder.path()),
        (std::vector<std::filesystem::path>{
            folder.path() / "model-1.safetensors", folder.path() / "model-2.safetensors"}));
    const CheckpointSummary summary = summariseCheckpoint(folder.path());
    ASSERT_EQ(summary.tensors.size(), 4U);
    EXPECT_EQ(summary.tensors[0].name, "a");
    EXPECT_EQ(summary.total.bytes, 48);
    EXPECT_EQ(summary.metadata.at("format"), "pt");
}

TEST(CheckpointSummary, AWholeFileGoesBeforeAnIndex) {
    const TemporaryFolder folder;
    writeShard(folder.path() / "model.safetensors", {"a"});
    folder.write("model.safetensors.index.json", "damaged");
    EXPECT_EQ(summariseCheckpoint(folder.path()).total.tensors, 1);
}

TEST(CheckpointSummary, RefusesDamagedFoldersWithASentence) {
    const TemporaryFolder folder;
    EXPECT_NE(sentenceFor(folder.path()).find("model.safetensors"), std::string::npos);
    EXPECT_NE(sentenceFor(folder.path() / "none").find("No such file"), std::string::npos);

    const std::vector<std::pair<std::string, std::string>> indices{
        {"{\"weight_map\":", "not JSON"},
        {"[]", "weight_map"},
        {R"({"weight_map": {}})", "weight_map"},
        {R"({"weight_map": {"a": 1}})", "\"a\""},
        {R"({"weight_map": {"a": "../model.safetensors"}})", "\"a\""},
        {R"({"weight_map": {"a": ".."}})", "\"a\""},
        {R"({"weight_map": {"a": "gone.safetensors"}})", "gone.safetensors"},
    };
    for (const auto& [index, word] : indices) {
        folder.write("model.safetensors.index.json", index);
        EXPECT_NE(sentenceFor(folder.path()).find(word), std::string::npos) << index;
    }

    writeShard(folder.path() / "1.safetensors", {"a"});
    writeShard(folder.path() / "2.safetensors", {"a"});
    folder.write("model.safetensors.index.json",
        R"({"weight_map": {"a": "1.safetensors", "b": "2.safetensors"}})");
    EXPECT_NE(sentenceFor(folder.path()).find("\"a\""), std::string::npos);
}

} // namespace
} // namespace maskscope
