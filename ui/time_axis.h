// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace maskscope {

/// The memory graph's time axis as the widgets above and below it see it: [beginMs, endMs] lies on
/// [left, right], in their pixels.
struct TimeAxis {
    double beginMs = 0;
    double endMs = 1;
    double left = 0;
    double right = 1;
    double nowMs = 0; ///< where what has not ended reaches to

    double pixelsPerMs() const { return (right - left) / std::max(1e-9, endMs - beginMs); }
    /// Also outside of the axis.
    double pixelOf(double tMs) const { return left + (tMs - beginMs) * pixelsPerMs(); }
};

} // namespace maskscope
