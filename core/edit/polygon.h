// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/image_point.h"
#include "core/mask/mask_runs.h"

#include <span>

namespace maskscope {

/// The pixels of a width x height image whose centres lie inside the closed polygon, where a place
/// that it winds around twice is outside (even-odd). A centre on an edge belongs to the side right
/// of it or below it, so that polygons with an edge in common share no pixel and leave none out.
/// Points that are not finite are left out.
MaskRuns insideOf(std::span<const ImagePoint> polygon, int width, int height);

} // namespace maskscope
