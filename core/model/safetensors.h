// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mapped_file.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// One tensor of a file: row-major, little-endian.
struct StoredTensor {
    std::string name;
    Dtype dtype = Dtype::F32;
    std::vector<std::int64_t> shape; ///< empty for a scalar; sizes may be 0
    std::span<const std::byte> bytes; ///< exactly bytesOf(dtype, shape)
};

/// A checkpoint in the safetensors format (https://github.com/huggingface/safetensors), mapped into
/// memory. An object of this class has passed every check: the header is one JSON object, and the
/// tensors cover the data without overlap, hole or rest. Immutable, so any thread may read it.
/// A tensor may begin at any address: copy its bytes, never cast the pointer to the element type.
class SafetensorsFile {
public:
    /// Longest header read, which is what the format's own library accepts.
    static constexpr std::uint64_t kMostHeaderBytes = 100'000'000;

    /// Throws Failure(Model) when the file cannot be read or is not a whole, consistent safetensors
    /// file; other kinds of file people download are named as what they are.
    explicit SafetensorsFile(const std::filesystem::path& path);

    /// Sorted by name. The views live as long as this object, also after it was moved.
    const std::vector<StoredTensor>& tensors() const noexcept { return m_tensors; }
    const std::map<std::string, std::string>& metadata() const noexcept { return m_metadata; }
    /// Null when there is none of this name.
    const StoredTensor* find(std::string_view name) const;

private:
    MappedFile m_file;
    std::vector<StoredTensor> m_tensors;
    std::map<std::string, std::string> m_metadata;
};

/// Writes a file that SafetensorsFile and the Python library read back equal: wide elements first,
/// then by name, header padded to 8 bytes, so that every tensor is aligned; the same input gives
/// the same bytes. The file appears whole or not at all. Throws Failure(Input) when it cannot be
/// written and Failure(Internal) when the entries contradict themselves.
void writeSafetensors(const std::filesystem::path& path, std::span<const StoredTensor> tensors,
    const std::map<std::string, std::string>& metadata = {});

} // namespace maskscope
