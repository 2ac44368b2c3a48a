// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_runs.h"

namespace maskscope {

// Each takes time in proportion to the runs of both masks, which belong to the same image.

/// The pixels in either mask.
MaskRuns unite(const MaskRuns& a, const MaskRuns& b);
/// The pixels in `a` and not in `b`.
MaskRuns subtract(const MaskRuns& a, const MaskRuns& b);
/// The pixels in both masks.
MaskRuns intersect(const MaskRuns& a, const MaskRuns& b);
/// The pixels in exactly one of the masks.
MaskRuns exclusiveOr(const MaskRuns& a, const MaskRuns& b);

} // namespace maskscope
