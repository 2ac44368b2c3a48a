// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <QRect>
#include <string_view>
#include <vector>

namespace maskscope {

/// A mask of one string a row; '#' is inside.
inline Mask drawnMask(const std::vector<std::string_view>& rows) {
    Mask mask;
    mask.width = static_cast<int>(rows.front().size());
    mask.height = static_cast<int>(rows.size());
    QRect box;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            const bool inside
                = rows.at(static_cast<std::size_t>(y)).at(static_cast<std::size_t>(x)) == '#';
            mask.bits.push_back(inside ? 1 : 0);
            mask.area += inside ? 1 : 0;
            if (inside)
                box |= QRect(x, y, 1, 1);
        }
    mask.bbox = {box.x(), box.y(), box.width(), box.height()};
    return mask;
}

} // namespace maskscope
