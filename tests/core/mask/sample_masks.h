// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/mask/mask_geometry.h"

#include <initializer_list>
#include <random>
#include <string_view>

namespace maskscope::test {

/// A mask from rows of text, in which '#' is set.
inline Mask maskOf(std::initializer_list<std::string_view> rows) {
    Mask mask;
    mask.width = int(rows.begin()->size());
    mask.height = int(rows.size());
    for (const std::string_view row : rows)
        for (const char c : row)
            mask.bits.push_back(c == '#' ? 1 : 0);
    measure(mask);
    return mask;
}

/// Blobs, holes and specks.
inline Mask randomMask(std::mt19937& random, int width, int height) {
    Mask mask;
    mask.width = width;
    mask.height = height;
    mask.bits.resize(std::size_t(width) * std::size_t(height));
    for (int piece = 0; piece < 12; ++piece) {
        const int x0 = int(random() % unsigned(width));
        const int y0 = int(random() % unsigned(height));
        const int x1 = x0 + int(random() % unsigned(width - x0));
        const int y1 = y0 + int(random() % unsigned(height - y0));
        const std::uint8_t value = piece % 3 == 0 ? 1 : random() % 2;
        for (int y = y0; y <= y1; ++y)
            for (int x = x0; x <= x1; ++x)
                mask.bits[std::size_t(y * width + x)] = value;
    }
    for (int speck = 0; speck < width; ++speck)
        mask.bits[random() % mask.bits.size()] ^= 1;
    measure(mask);
    return mask;
}

} // namespace maskscope::test
