// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// RFC 4648 with padding, on one line.
std::string base64(std::span<const std::byte> bytes);

/// Nothing where the text is not that of some bytes.
std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text);

} // namespace maskscope
