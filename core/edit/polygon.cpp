// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/polygon.h"

#include "core/edit/run_builder.h"
#include "core/mask/pixel_span.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

namespace maskscope {
namespace {

/// A pixel at which a row goes over an edge of the polygon.
struct Crossing {
    int y = 0;
    int x = 0;

    bool operator<(const Crossing& other) const {
        return std::tie(y, x) < std::tie(other.y, other.x);
    }
};

void cross(ImagePoint a, ImagePoint b, int width, int height, std::vector<Crossing>& crossings) {
    if (a.y > b.y)
        std::swap(a, b);
    const int end = firstPixelFrom(b.y, 0, height);
    for (int y = firstPixelFrom(a.y, 0, height); y < end; ++y) {
        const double x = a.x + (y + 0.5 - a.y) * ((b.x - a.x) / (b.y - a.y));
        crossings.push_back({y, firstPixelFrom(x, 0, width)});
    }
}

} // namespace

MaskRuns insideOf(std::span<const ImagePoint> polygon, int width, int height) {
    std::vector<ImagePoint> points;
    std::copy_if(polygon.begin(), polygon.end(), std::back_inserter(points),
        [](const ImagePoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); });
    std::vector<Crossing> crossings;
    for (std::size_t i = 0; i < points.size(); ++i)
        cross(points[i], points[(i + 1) % points.size()], width, height, crossings);
    std::sort(crossings.begin(), crossings.end());
    RunBuilder builder;
    // A closed line goes over every row an even number of times.
    for (std::size_t i = 0; i < crossings.size(); i += 2)
        builder.add({crossings[i].y, crossings[i].x, crossings[i + 1].x});
    return builder.take();
}

} // namespace maskscope
