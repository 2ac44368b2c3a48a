// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/stroke.h"

#include "core/edit/run_builder.h"
#include "core/mask/pixel_span.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace maskscope {
namespace {

/// What of a line from left to right lies inside something convex; nothing if `from` > `to`.
struct Interval {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();

    /// Keeps the x for which low <= slope * x <= high.
    void keep(double slope, double low, double high) {
        if (slope == 0) {
            if (low > 0 || high < 0)
                to = -std::numeric_limits<double>::infinity();
            return;
        }
        from = std::max(from, std::min(low / slope, high / slope));
        to = std::min(to, std::max(low / slope, high / slope));
    }
};

constexpr Interval kNothing{
    std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

Interval hullOf(const Interval& a, const Interval& b) {
    return {std::min(a.from, b.from), std::max(a.to, b.to)};
}

Interval discAt(const ImagePoint& centre, double radius, double y) {
    const double rest = radius * radius - (y - centre.y) * (y - centre.y);
    if (!(rest >= 0))
        return kNothing;
    return {centre.x - std::sqrt(rest), centre.x + std::sqrt(rest)};
}

/// Where the line at `y` lies in the discs around a and b or in the band between them.
Interval roundAt(const ImagePoint& a, const ImagePoint& b, double radius, double y) {
    Interval covered = hullOf(discAt(a, radius, y), discAt(b, radius, y));
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double length = std::hypot(dx, dy);
    if (length > 0) {
        Interval band; // of x - a.x
        band.keep(dx, -(y - a.y) * dy, length * length - (y - a.y) * dy);
        band.keep(dy, (y - a.y) * dx - radius * length, (y - a.y) * dx + radius * length);
        if (band.from <= band.to)
            covered = hullOf(covered, {a.x + band.from, a.x + band.to});
    }
    return covered;
}

/// Where the line at `y` lies in a square that goes from a to b.
Interval squareAt(const ImagePoint& a, const ImagePoint& b, double half, double y) {
    if (!(y < std::max(a.y, b.y) + half)) // its lower side is not its own
        return kNothing;
    Interval way; // 0 at a, 1 at b
    way.keep(1, 0, 1);
    way.keep(b.y - a.y, y - a.y - half, y - a.y + half);
    if (!(way.from <= way.to))
        return kNothing;
    const double first = a.x + way.from * (b.x - a.x);
    const double last = a.x + way.to * (b.x - a.x);
    return {std::min(first, last) - half, std::max(first, last) + half};
}

/// The row of pixels under a piece of the path.
Run runAt(int y, const ImagePoint& a, const ImagePoint& b, const Brush& brush, int width) {
    const double radius = std::max(brush.diameter, 1.0) / 2;
    const Interval covered = brush.shape == BrushShape::Round ? roundAt(a, b, radius, y + 0.5)
                                                              : squareAt(a, b, radius, y + 0.5);
    Run run{y, width, 0};
    if (covered.from <= covered.to) {
        run.from = firstPixelFrom(covered.from, 0, width);
        run.to = firstPixelFrom(covered.to, 0, width);
    }
    if (brush.shape == BrushShape::Square)
        return run;
    // A disc has its whole rim, a square only its left and upper sides: it is as wide as it says.
    if (run.to < width && run.to + 0.5 == covered.to)
        ++run.to;
    for (const ImagePoint& point : {a, b})
        if (std::floor(point.y) == y && point.x >= 0 && point.x < width) {
            run.from = std::min(run.from, static_cast<int>(point.x));
            run.to = std::max(run.to, static_cast<int>(point.x) + 1);
        }
    return run;
}

void paint(const ImagePoint& a, const ImagePoint& b, const Brush& brush, int width, int height,
    std::vector<Run>& runs) {
    const double reach = std::max(brush.diameter, 1.0) / 2;
    const auto [top, bottom] = std::minmax(a.y, b.y);
    // One row more on each side: the rim of a disc, and the row that a point lies in.
    const int end = std::min(firstPixelFrom(bottom + reach, 0, height) + 1, height);
    for (int y = std::max(firstPixelFrom(top - reach, 0, height) - 1, 0); y < end; ++y) {
        const Run run = runAt(y, a, b, brush, width);
        if (run.from < run.to)
            runs.push_back(run);
    }
}

} // namespace

MaskRuns strokeAlong(std::span<const ImagePoint> path, const Brush& brush, int width, int height) {
    std::vector<ImagePoint> points;
    std::copy_if(path.begin(), path.end(), std::back_inserter(points),
        [](const ImagePoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); });
    std::vector<Run> runs;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i > 0 || points.size() == 1)
            paint(points[i > 0 ? i - 1 : 0], points[i], brush, width, height, runs);
    return maskOfRuns(std::move(runs));
}

} // namespace maskscope
