// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace maskscope {

/// The first of `count` pixels whose centre is not before `place`; `count` if there is none.
inline int firstPixelFrom(double place, int count) {
    const double pixel = std::ceil(place - 0.5);
    if (!(pixel > 0))
        return 0;
    return pixel < count ? static_cast<int>(pixel) : count;
}

} // namespace maskscope
