// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace maskscope {

/// A regular file mapped read-only into memory; it exists only mapped. The file must not be
/// shortened while it is mapped (the system answers a read past the end with SIGBUS).
class MappedFile {
public:
    /// Throws a Failure of the given kind that names the file when it cannot be opened or is not a
    /// regular file.
    MappedFile(const std::filesystem::path& path, ErrorKind kindOfFailure);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    std::span<const std::byte> bytes() const noexcept { return m_bytes; }

private:
    std::span<const std::byte> m_bytes; ///< empty for an empty file, which cannot be mapped
};

} // namespace maskscope
