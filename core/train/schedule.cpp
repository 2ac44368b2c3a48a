// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace maskscope {

double Schedule::at(double progress) const {
    const double p = std::clamp(progress, 0.0, 1.0);
    if (p < warmup)
        return peak * std::max(p / warmup, 0.01);
    const double fall = (p - warmup) / (1 - warmup);
    return peak * (floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * fall)));
}

} // namespace maskscope
