// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace maskscope {

/// A mask of one string a row; '#' is inside.
inline Mask drawnMask(const std::vector<std::string_view>& rows) {
    Mask mask;
    mask.width = static_cast<int>(rows.front().size());
    mask.height = static_cast<int>(rows.size());
    int left = mask.width, top = mask.height, right = 0, bottom = 0;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            const bool inside
                = rows.at(static_cast<std::size_t>(y)).at(static_cast<std::size_t>(x)) == '#';
            mask.bits.push_back(inside ? 1 : 0);
            if (!inside)
                continue;
            ++mask.area;
            left = std::min(left, x);
            top = std::min(top, y);
            right = std::max(right, x + 1);
            bottom = std::max(bottom, y + 1);
        }
    if (mask.area > 0)
        mask.bbox = {left, top, right - left, bottom - top};
    return mask;
}

} // namespace maskscope
