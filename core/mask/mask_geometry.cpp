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

} // namespace maskscope
