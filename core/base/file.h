// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace maskscope {

/// The bytes of a regular file. Throws Failure(Input) with a sentence that names it for everything
/// else (a folder, a pipe, a dangling link), for more than `mostBytes` and when it cannot be read.
/// Never waits for a writer.
std::vector<std::byte> readFile(const std::filesystem::path& path, std::int64_t mostBytes);

/// At most the first `count` bytes, under the same conditions.
std::vector<std::byte> readFileStart(const std::filesystem::path& path, std::size_t count);

} // namespace maskscope
