// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/image_point.h"
#include "core/mask/mask_runs.h"

#include <span>

namespace maskscope {

enum class BrushShape { Round, Square };

struct Brush {
    BrushShape shape = BrushShape::Round;
    double diameter = 1; ///< image pixels; less than 1 is taken as 1
};

/// The pixels of a width x height image that a brush covers on its way along `path`: those whose
/// centres it passes over, and with a round one those that the path's points lie in, so that the
/// thinnest leaves a mark. Painting a path piece by piece (each beginning where the last one ended)
/// and uniting the pieces gives the same. Points that are not finite are left out.
MaskRuns strokeAlong(std::span<const ImagePoint> path, const Brush& brush, int width, int height);

} // namespace maskscope
