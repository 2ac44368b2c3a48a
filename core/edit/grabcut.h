// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"
#include "core/mask/mask_runs.h"

#include <stop_token>

namespace maskscope {

/// Moves the border of a mask onto the edges of the picture next to it (GrabCut, Rother et al.
/// 2004). Only pixels within `band` pixels of the border may change; where the mask's box is larger
/// than about 1 megapixel the new border is found in a smaller picture and is as coarse as that.
/// The mask comes back unchanged where there is nothing to go by: too few pixels inside or outside,
/// a picture of one colour there, or no pixel that would be left. Equal inputs give equal masks.
/// Work for a background thread: seconds. Throws Cancelled, and Failure if OpenCV fails.
MaskRuns refineOnEdges(
    const Image& image, const MaskRuns& mask, int band, const std::stop_token& stop);

} // namespace maskscope
