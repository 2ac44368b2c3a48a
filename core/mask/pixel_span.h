// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace maskscope {

/// The first of the pixels `least` to `end` - 1 whose centre is not before `place`; `end` if there
/// is none.
inline int firstPixelFrom(double place, int least, int end) {
    const double pixel = std::ceil(place - 0.5);
    if (!(pixel > least))
        return least;
    return pixel < end ? static_cast<int>(pixel) : end;
}

} // namespace maskscope
