// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// In pixels of the image; pixel (0, 0) is the point (0, 0), as everywhere around YOLO.
struct PolygonPoint {
    double x = 0;
    double y = 0;
};
using Polygon = std::vector<PolygonPoint>;

/// One closed polygon through border pixels per part of the mask (pixels that touch, also at
/// corners). A part's holes are joined to it by a bridge that is walked both ways, so that
/// cv::fillPoly gives the mask back pixel for pixel. At least 3 points each.
std::vector<Polygon> polygonsOf(const Mask& mask);

/// "<class> <x> <y> …", each in 0..1 with six digits; nothing for fewer
/// than 3 points.
std::optional<std::string> yoloRow(
    int classNumber, const Polygon& polygon, int imageWidth, int imageHeight);

} // namespace maskscope
