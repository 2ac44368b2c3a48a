// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_runs.h"

#include <cstdint>
#include <limits>

namespace maskscope {

// A part is pixels of the mask that touch, also at corners. A hole is pixels outside it that touch
// at their sides and from which no such way leads out of the mask's box. Each takes time in
// proportion to the runs.

int countParts(const MaskRuns& mask);
int countHoles(const MaskRuns& mask);

/// The mask with its holes of at most `largest` pixels filled.
MaskRuns fillHoles(
    const MaskRuns& mask, std::int64_t largest = std::numeric_limits<std::int64_t>::max());

/// The mask without its parts of fewer than `smallest` pixels.
MaskRuns removeIslands(const MaskRuns& mask, std::int64_t smallest);

/// The part with the most pixels; of several, the one that begins first in reading order.
MaskRuns keepLargest(const MaskRuns& mask);

} // namespace maskscope
