// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/grow.h"

#include "core/edit/boolean.h"
#include "core/edit/run_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace maskscope {
namespace {

MaskRuns wholeImage(int width, int height) {
    RunBuilder builder;
    for (int y = 0; y < height; ++y)
        builder.add({y, 0, width});
    return builder.take();
}

/// The mask moved down, each run longer on both sides.
MaskRuns movedAndWidened(const std::vector<Run>& runs, int down, int wider, int width, int height) {
    RunBuilder builder;
    for (const Run& run : runs)
        if (run.y + down >= 0 && run.y + down < height)
            builder.add(
                {run.y + down, std::max(run.from - wider, 0), std::min(run.to + wider, width)});
    return builder.take();
}

} // namespace

MaskRuns grow(const MaskRuns& mask, int distance, int width, int height) {
    const std::vector<Run> runs = listOf(mask);
    const std::int64_t squared = std::int64_t(distance) * distance;
    const int rows = std::min(distance, height); // no farther within the image
    MaskRuns grown = mask;
    for (int down = -rows; down <= rows; ++down) {
        const double rest = std::sqrt(double(squared - std::int64_t(down) * down));
        const int wider = std::min(static_cast<int>(rest), width);
        grown = unite(grown, movedAndWidened(runs, down, wider, width, height));
    }
    return grown;
}

MaskRuns shrink(const MaskRuns& mask, int distance, int width, int height) {
    const MaskRuns outside = subtract(wholeImage(width, height), mask);
    return subtract(mask, grow(outside, distance, width, height));
}

} // namespace maskscope
