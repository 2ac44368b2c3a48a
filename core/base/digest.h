// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace maskscope {

/// 16 hexadecimal digits that tell contents apart that differ by chance, not by intent: the 64-bit
/// hash FNV-1a (Fowler, Noll, Vo).
std::string digestOf(std::span<const std::byte> bytes);

} // namespace maskscope
