// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace maskscope {

/// RFC 4648 with padding, on one line.
std::string base64(std::span<const std::byte> bytes);

} // namespace maskscope
