// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/strict_json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace maskscope {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kPrefixBytes = 8; // the header's length, before the header
constexpr std::size_t kHeaderDepth = 3; // object of tensors, tensor, its lists
constexpr std::size_t kMostDimensions = 64; // what tensor libraries can index
constexpr const char* kMetadataKey = "__metadata__";

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
    throw Failure(
        ErrorKind::Model, "Cannot load " + printable(path.string()) + ": " + reason + ".");
}

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What people find under a checkpoint's name when it is not one; empty when nothing is recognised.
std::string_view otherKind(std::string_view file) {
    struct Kind {
        std::string_view beginning;
        std::string_view name;
    };
    constexpr std::array<Kind, 8> kKinds{{
        {"\x80", "a Python pickle; convert it to safetensors first"},
        {"PK\x03\x04", "a zip archive, as torch.save writes; convert it to safetensors first"},
        {"GGUF", "a GGUF file"},
        {"version https://git-lfs", "a Git LFS pointer, not the file it stands for; fetch that"},
        {"<", "a web page (HTML or XML), not a checkpoint; download it again"},
        {"{", "a JSON text, not a checkpoint; download it again"},
        {"Entry not found", "a server's error message; download it again"},
        {"\x1F\x8B", "gzip data; unpack it first"},
    }};
    // A real file begins with its header's length: small enough for a zero in its fifth byte.
    if (file.size() >= kPrefixBytes && file[4] == '\0' && file[kPrefixBytes - 1] == '\0')
        return {};
    for (const Kind& kind : kKinds)
        if (file.starts_with(kind.beginning))
            return kind.name;
    return {};
}

std::uint64_t littleEndian64(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = kPrefixBytes; i-- > 0;)
        value = (value << 8) | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

struct Parts {
    std::string_view header;
    std::span<const std::byte> data;
};

Parts split(const std::filesystem::path& path, std::span<const std::byte> file) {
    if (file.empty())
        refuse(path, "it is empty");
    if (const std::string_view kind = otherKind(textOf(file)); !kind.empty())
        refuse(path, "it is " + std::string(kind));
    if (file.size() < kPrefixBytes)
        refuse(path,
            "it has " + std::to_string(file.size())
                + " bytes, too few for a safetensors file; download it again");
    const std::uint64_t length = littleEndian64(file);
    if (length > SafetensorsFile::kMostHeaderBytes)
        refuse(path,
            "its header claims " + std::to_string(length) + " bytes, more than the "
                + std::to_string(SafetensorsFile::kMostHeaderBytes) + " that are accepted");
    if (length > file.size() - kPrefixBytes)
        refuse(path,
            "its header claims " + std::to_string(length) + " bytes, but the file has "
                + std::to_string(file.size()) + "; download it again");
    const std::string_view header = textOf(file.subspan(kPrefixBytes, length));
    if (!header.starts_with('{'))
        refuse(path, "its header does not begin with a JSON object");
    return {header, file.subspan(kPrefixBytes + length)};
}

/// A tensor as its header entry describes it; the offsets are relative to the data.
struct Described {
    StoredTensor tensor;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Reads the header's entries and checks each one by itself.
class EntryReader {
public:
    EntryReader(const std::filesystem::path& path, std::string name, const Json& entry)
        : m_path(path)
        , m_name(std::move(name))
        , m_entry(entry) { }

    Described read() const {
        if (!m_entry.is_object())
            fail("is not described by an object");
        for (const auto& item : m_entry.items())
            if (item.key() != "dtype" && item.key() != "shape" && item.key() != "data_offsets")
                fail("has the unknown field \"" + printable(item.key()) + "\"");
        Described result{{m_name, dtype(), shape(), {}}};
        std::tie(result.begin, result.end) = offsets();
        const auto bytes = bytesOf(result.tensor.dtype, result.tensor.shape);
        if (!bytes)
            fail("has the shape " + shapeText(result.tensor.shape) + ", which is too large");
        if (*bytes != result.end - result.begin)
            fail("has the shape " + shapeText(result.tensor.shape) + " and type "
                + std::string(nameOf(result.tensor.dtype)) + ", which is " + std::to_string(*bytes)
                + " bytes, but its offsets span " + std::to_string(result.end - result.begin));
        return result;
    }

private:
    [[noreturn]] void fail(const std::string& reason) const {
        refuse(m_path, "the tensor \"" + printable(m_name) + "\" " + reason);
    }

    const Json& field(const char* name) const {
        const auto found = m_entry.find(name);
        if (found == m_entry.end())
            fail(std::string("has no ") + name);
        return *found;
    }

    Dtype dtype() const {
        const Json& value = field("dtype");
        if (!value.is_string())
            fail("has a dtype that is not a name");
        const auto& name = value.get_ref<const std::string&>();
        const auto known = dtypeFrom(name);
        if (!known)
            fail("has the unknown dtype \"" + printable(name) + "\"");
        return *known;
    }

    std::vector<std::int64_t> shape() const {
        const Json& value = field("shape");
        if (!value.is_array() || value.size() > kMostDimensions)
            fail("has a shape that is not a list of at most " + std::to_string(kMostDimensions)
                + " sizes");
        std::vector<std::int64_t> sizes;
        for (const Json& size : value) {
            if (!size.is_number_unsigned()
                || !std::in_range<std::int64_t>(size.get<std::uint64_t>()))
                fail("has a shape with a size that is not a whole number from 0 to 2^63 - 1");
            sizes.push_back(size.get<std::int64_t>());
        }
        return sizes;
    }

    std::pair<std::uint64_t, std::uint64_t> offsets() const {
        const Json& value = field("data_offsets");
        if (!value.is_array() || value.size() != 2 || !value[0].is_number_unsigned()
            || !value[1].is_number_unsigned())
            fail("has data_offsets that are not two whole numbers");
        const auto begin = value[0].get<std::uint64_t>();
        const auto end = value[1].get<std::uint64_t>();
        if (begin > end)
            fail("has data_offsets that end before they begin: " + std::to_string(begin) + ", "
                + std::to_string(end));
        return {begin, end};
    }

    const std::filesystem::path& m_path;
    std::string m_name;
    const Json& m_entry;
};

std::map<std::string, std::string> metadataFrom(
    const std::filesystem::path& path, const Json& header) {
    std::map<std::string, std::string> metadata;
    const auto found = header.find(kMetadataKey);
    if (found == header.end())
        return metadata;
    if (!found->is_object())
        refuse(path, std::string("its ") + kMetadataKey + " is not an object of texts");
    for (const auto& item : found->items()) {
        if (!item.value().is_string())
            refuse(path,
                std::string("its ") + kMetadataKey + " gives \"" + printable(item.key())
                    + "\" a value that is not a text");
        metadata.emplace(item.key(), item.value().get<std::string>());
    }
    return metadata;
}

/// The tensors must cover the data from its first byte to its last, each byte once.
void checkCover(
    const std::filesystem::path& path, std::vector<Described>& tensors, std::uint64_t dataBytes) {
    std::ranges::sort(tensors, {},
        [](const Described& described) { return std::pair(described.begin, described.end); });
    std::uint64_t covered = 0;
    for (const Described& described : tensors) {
        const std::string name = "\"" + printable(described.tensor.name) + "\"";
        if (described.begin < covered)
            refuse(path, "the tensor " + name + " overlaps another one");
        if (described.begin > covered)
            refuse(path,
                "the " + std::to_string(described.begin - covered) + " bytes before the tensor "
                    + name + " belong to no tensor");
        covered = described.end;
    }
    if (covered > dataBytes)
        refuse(path,
            "it is incomplete: its tensors need " + std::to_string(covered) + " bytes and "
                + std::to_string(dataBytes) + " are there; download it again");
    if (covered < dataBytes)
        refuse(
            path, "its last " + std::to_string(dataBytes - covered) + " bytes belong to no tensor");
}

std::string headerFor(std::span<const StoredTensor* const> tensors,
    const std::map<std::string, std::string>& metadata) {
    Json header = Json::object();
    if (!metadata.empty())
        header[kMetadataKey] = metadata;
    std::uint64_t offset = 0;
    for (const StoredTensor* tensor : tensors) {
        const auto contradiction = [&](const char* reason) {
            throw Failure(ErrorKind::Internal,
                "The tensor \"" + printable(tensor->name) + "\" cannot be written: " + reason
                    + ".");
        };
        if (tensor->name == kMetadataKey || header.contains(tensor->name))
            contradiction("its name is taken");
        if (bytesOf(tensor->dtype, tensor->shape) != tensor->bytes.size())
            contradiction("its bytes do not fit its shape");
        const std::uint64_t end = offset + tensor->bytes.size();
        header[tensor->name] = {{"dtype", nameOf(tensor->dtype)}, {"shape", tensor->shape},
            {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const Json::type_error&) {
        throw Failure(ErrorKind::Internal, "A tensor's name or the metadata is not valid UTF-8.");
    }
    text.resize((text.size() + kPrefixBytes - 1) / kPrefixBytes * kPrefixBytes, ' ');
    return text;
}

} // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : m_file(path, ErrorKind::Model) {
    const Parts parts = split(path, m_file.bytes());
    const Json header = parseStrictJson(
        parts.header, "Cannot load " + printable(path.string()) + ": its header", kHeaderDepth);
    m_metadata = metadataFrom(path, header);

    std::vector<Described> tensors;
    for (const auto& item : header.items())
        if (item.key() != kMetadataKey)
            tensors.push_back(EntryReader(path, item.key(), item.value()).read());
    checkCover(path, tensors, parts.data.size());
    for (Described& described : tensors) {
        described.tensor.bytes
            = parts.data.subspan(described.begin, described.end - described.begin);
        m_tensors.push_back(std::move(described.tensor));
    }
    std::ranges::sort(m_tensors, {}, &StoredTensor::name);
}

const StoredTensor* SafetensorsFile::find(std::string_view name) const {
    const auto found = std::ranges::lower_bound(m_tensors, name, {}, &StoredTensor::name);
    return found != m_tensors.end() && found->name == name ? &*found : nullptr;
}

void writeSafetensors(const std::filesystem::path& path, std::span<const StoredTensor> tensors,
    const std::map<std::string, std::string>& metadata) {
    std::vector<const StoredTensor*> order;
    for (const StoredTensor& tensor : tensors)
        order.push_back(&tensor);
    std::ranges::sort(order, {}, [](const StoredTensor* tensor) {
        return std::pair(-static_cast<int>(bytesOf(tensor->dtype)), std::string_view(tensor->name));
    });

    const std::string header = headerFor(order, metadata);
    std::array<std::byte, kPrefixBytes> length{};
    for (std::size_t i = 0; i < kPrefixBytes; ++i)
        length[i] = static_cast<std::byte>(header.size() >> (8 * i));
    AtomicFile file(path);
    file.write(length);
    file.write(header);
    for (const StoredTensor* tensor : order)
        file.write(tensor->bytes);
    file.commit();
}

} // namespace maskscope
