// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_geometry.h"

#include <algorithm>
#include <random>

namespace maskscope {

/// Some pixels and some boxes at random places, of which the densest covers nearly all.
inline Mask randomMask(std::mt19937& random, int width, int height) {
    Mask mask;
    mask.width = width;
    mask.height = height;
    mask.bits.resize(static_cast<std::size_t>(width * height));
    const auto below
        = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    for (int boxes = below(8); boxes > 0; --boxes) {
        const int left = below(width), top = below(height);
        const int right = std::min(width, left + 1 + below(width));
        const int bottom = std::min(height, top + 1 + below(height));
        const auto value = static_cast<std::uint8_t>(below(3) > 0 ? 1 : 0);
        for (int y = top; y < bottom; ++y)
            std::fill_n(mask.bits.begin() + y * width + left, right - left, value);
    }
    for (int pixels = below(width * height / 2 + 1); pixels > 0; --pixels)
        mask.bits[static_cast<std::size_t>(below(width * height))] ^= 1;
    measure(mask);
    return mask;
}

/// A mask of the pixels for which `inside(x, y)` is true.
template <class Inside>
Mask maskWhere(int width, int height, Inside inside) {
    Mask mask;
    mask.width = width;
    mask.height = height;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            mask.bits.push_back(inside(x, y) ? 1 : 0);
    measure(mask);
    return mask;
}

} // namespace maskscope
