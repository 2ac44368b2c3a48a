// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <string>
#include <vector>

namespace maskscope {

struct ChartPoint {
    double x = 0;
    double y = 0;
};

/// Measured points and the curve that was fitted through them; either may be empty.
struct ChartSeries {
    std::string name;
    std::vector<ChartPoint> points;
    std::vector<ChartPoint> curve;
};

/// Series over linear axes that begin at 0. Texts are ASCII.
struct Chart {
    std::string title;
    std::string xLabel;
    std::string yLabel;
    std::vector<ChartSeries> series;
    std::vector<std::string> notes = {}; ///< a line each, below the drawing
};

/// The same drawing as a picture that scales and as pixels.
std::string svgOf(const Chart& chart);
Image imageOf(const Chart& chart);

} // namespace maskscope
