// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_size.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

ModelSize modelSize(std::int64_t width, std::int64_t height, std::int64_t mostPixels) {
    constexpr std::int64_t kStep = 32;
    const double scale = std::sqrt(double(mostPixels) / (double(width) * double(height)));
    const auto most = std::max<std::int64_t>(1, mostPixels / (kStep * kStep));
    const double wide = std::max(1.0, double(width) * scale / kStep);
    // Among the two nearest columns counts and the row counts that fit them, the one whose aspect
    // is nearest; among equals, the larger.
    ModelSize best;
    double bestError = 0;
    for (const double candidate : {std::floor(wide), std::ceil(wide)}) {
        const auto columns = std::clamp<std::int64_t>(std::int64_t(candidate), 1, most);
        const double ideal = double(columns) * double(height) / double(width);
        const auto rows = std::clamp<std::int64_t>(
            std::int64_t(std::lround(ideal)), 1, std::max<std::int64_t>(1, most / columns));
        const double stretch = std::abs(std::log(double(rows) / ideal));
        const double loss = std::log(double(most) / double(rows * columns));
        const double error = stretch + 0.5 * loss;
        if (best.width == 0 || error < bestError) {
            best = {columns * kStep, rows * kStep};
            bestError = error;
        }
    }
    return best;
}

} // namespace maskscope
