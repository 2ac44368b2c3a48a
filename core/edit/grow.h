// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_runs.h"

namespace maskscope {

/// The pixels of a width x height image at most `distance` pixels (centre to centre) from the
/// mask. Takes time in proportion to the runs times the distance.
MaskRuns grow(const MaskRuns& mask, int distance, int width, int height);

/// The mask's pixels more than `distance` pixels from all pixels of the image outside it; the
/// image's own border takes nothing away.
MaskRuns shrink(const MaskRuns& mask, int distance, int width, int height);

} // namespace maskscope
