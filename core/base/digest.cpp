// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"

#include <cstdint>
#include <string_view>

namespace maskscope {

std::string digestOf(std::span<const std::byte> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::byte byte : bytes)
        hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; hash >>= 4)
        text[i] = std::string_view("0123456789abcdef")[hash & 15];
    return text;
}

} // namespace maskscope
