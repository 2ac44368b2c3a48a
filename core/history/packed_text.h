// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// A text of at most kMostTextBytes in zlib's format.
std::vector<std::byte> packed(std::string_view text);

/// The text of `size` bytes back. Throws Failure(Input): "<what> …" when the bytes are not it.
std::string unpacked(std::span<const std::byte> bytes, std::int64_t size, std::string_view what);

inline constexpr std::int64_t kMostTextBytes = std::int64_t(1) << 30;

} // namespace maskscope
