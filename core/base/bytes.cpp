// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bytes.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace maskscope {

std::string bytesText(std::int64_t bytes, int decimals) {
    constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB"};
    if (std::abs(bytes) < 1024)
        return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    // 1,023.95 would be written as 1024.0.
    while (std::abs(value) >= 1023.95 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    std::array<char, 64> text{};
    const bool whole = std::abs(value - std::round(value)) < 0.5 * std::pow(10, -decimals);
    std::snprintf(text.data(), text.size(), "%.*f %s", whole ? 0 : decimals, value, kUnits[unit]);
    return text.data();
}

} // namespace maskscope
