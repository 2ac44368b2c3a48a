// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace maskscope {

/// What happens to a file that has the name already.
enum class Existing { Replace, Keep };

/// A file that appears under its name whole or not at all: written beside its place under a name of
/// its own, moved there by commit(), removed when destroyed before that. Where the name is a
/// symbolic link, its place is where that leads. Devices, pipes and sockets are refused: they would
/// be replaced.
/// Every function throws Failure(Input) that names the file and the system's reason.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Waits until the bytes are on the disk, then takes the name; fails if that is taken and its
    /// owner is to be kept. Call it once, last.
    void commit(Existing existing = Existing::Replace);

private:
    std::filesystem::path m_path; ///< as it was given
    std::filesystem::path m_place; ///< where it leads
    std::filesystem::path m_temporary; ///< empty once it has moved
    int m_descriptor = -1;
};

/// Whether a file will be written later, asked before hours of work: throws Failure(Input) with the
/// reason when it is there and is to be kept, is no regular file, or its folder is missing or
/// closed.
void checkCanWrite(const std::filesystem::path& path, Existing existing);

} // namespace maskscope
