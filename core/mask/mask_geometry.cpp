// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_geometry.h"

#include <algorithm>
#include <cstddef>

namespace maskscope {

void measure(Mask& mask) {
    int left = mask.width;
    int right = -1;
    int top = mask.height;
    int bottom = -1;
    mask.area = 0;
    const std::uint8_t* bit = mask.bits.data();
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            if (*bit++ == 0)
                continue;
            ++mask.area;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = y;
        }
    }
    mask.bbox = {};
    if (mask.area > 0)
        mask.bbox = {left, top, right - left + 1, bottom - top + 1};
}

double iouOf(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    std::int64_t shared = 0;
    std::int64_t either = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        shared += a[i] != 0 && b[i] != 0;
        either += a[i] != 0 || b[i] != 0;
    }
    return either == 0 ? 1.0 : static_cast<double>(shared) / static_cast<double>(either);
}

} // namespace maskscope
