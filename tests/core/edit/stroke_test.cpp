// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/stroke.h"

#include "core/edit/boolean.h"
#include "tests/core/edit/random_mask.h"
#include "tests/core/mask/drawn_mask.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace maskscope {
namespace {

constexpr int kWidth = 40;
constexpr int kHeight = 30;

double distanceTo(const ImagePoint& a, const ImagePoint& b, double x, double y) {
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double squared = dx * dx + dy * dy;
    const double along = squared > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / squared : 0;
    const double t = std::clamp(along, 0.0, 1.0);
    return std::hypot(a.x + t * dx - x, a.y + t * dy - y);
}

bool holds(const ImagePoint& point, int x, int y) {
    return std::floor(point.x) == x && std::floor(point.y) == y;
}

/// Whether a square around some place of the way from a to b holds the centre of a pixel.
bool squareCovers(const ImagePoint& a, const ImagePoint& b, double half, int x, int y) {
    double from = 0, to = 1;
    const auto clip = [&](double start, double way, double centre) {
        const double one = (centre - half - start) / way, other = (centre + half - start) / way;
        from = std::max(from, std::min(one, other));
        to = std::min(to, std::max(one, other));
    };
    clip(a.x, b.x - a.x, x + 0.5);
    clip(a.y, b.y - a.y, y + 0.5);
    return from <= to;
}

std::vector<ImagePoint> randomPath(std::mt19937& random, int points) {
    std::uniform_real_distribution<double> place(-8, kWidth + 8);
    std::vector<ImagePoint> path;
    for (int i = 0; i < points; ++i)
        path.push_back({place(random), place(random)});
    return path;
}

TEST(Stroke, CoversThePixelsNearItsPath) {
    std::mt19937 random(6);
    for (int i = 0; i < 200; ++i) {
        const auto path = randomPath(random, 2);
        const double diameter = std::uniform_real_distribution<double>(1, 20)(random);
        const Mask round = maskWhere(kWidth, kHeight, [&](int x, int y) {
            return distanceTo(path[0], path[1], x + 0.5, y + 0.5) <= diameter / 2
                || holds(path[0], x, y) || holds(path[1], x, y);
        });
        EXPECT_EQ(strokeAlong(path, {BrushShape::Round, diameter}, kWidth, kHeight), runsOf(round));
        const Mask square = maskWhere(kWidth, kHeight,
            [&](int x, int y) { return squareCovers(path[0], path[1], diameter / 2, x, y); });
        EXPECT_EQ(
            strokeAlong(path, {BrushShape::Square, diameter}, kWidth, kHeight), runsOf(square));
    }
}

TEST(Stroke, IsTheSameInPieces) {
    std::mt19937 random(7);
    for (const BrushShape shape : {BrushShape::Round, BrushShape::Square}) {
        const auto path = randomPath(random, 12);
        const Brush brush{shape, 5.5};
        MaskRuns pieces;
        for (std::size_t i = 1; i < path.size(); ++i)
            pieces = unite(
                pieces, strokeAlong(std::span(path).subspan(i - 1, 2), brush, kWidth, kHeight));
        EXPECT_EQ(pieces, strokeAlong(path, brush, kWidth, kHeight));
    }
}

TEST(Stroke, IsAsWideAsItSays) {
    const std::vector<ImagePoint> middle{{4.5, 3.5}}, corner{{4, 4}};
    for (int side = 1; side < 4; ++side)
        for (const auto& path : {middle, corner})
            EXPECT_EQ(
                strokeAlong(path, {BrushShape::Square, double(side)}, 9, 9).area(), side * side);
    EXPECT_EQ(strokeAlong(middle, {BrushShape::Round, 1}, 9, 9).area(), 1);
    EXPECT_EQ(strokeAlong(middle, {BrushShape::Round, 3}, 9, 9).area(), 9);
    EXPECT_EQ(strokeAlong(corner, {BrushShape::Round, 0.1}, 9, 9),
        runsOf(maskWhere(9, 9, [](int x, int y) { return x == 4 && y == 4; })));
    EXPECT_EQ(strokeAlong(middle, {BrushShape::Round, 5}, 9, 7),
        runsOf(drawnMask({
            ".........",
            "...###...",
            "..#####..",
            "..#####..",
            "..#####..",
            "...###...",
            ".........",
        })));
}

TEST(Stroke, LeavesOutWhatIsNoPlaceInTheImage) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const std::vector<ImagePoint> broken{{none, 1}, {1, -std::numeric_limits<double>::infinity()}};
    EXPECT_TRUE(strokeAlong(broken, {}, 9, 9).isEmpty());
    EXPECT_TRUE(strokeAlong({}, {}, 9, 9).isEmpty());
    const std::vector<ImagePoint> beside{{-5, 4}, {-3, 9}, {20, 1e300}};
    EXPECT_TRUE(strokeAlong(std::span(beside).first(2), {}, 9, 9).isEmpty());
    const MaskRuns far = strokeAlong(beside, {BrushShape::Round, 4}, 9, 9);
    EXPECT_LE(far.bbox[0] + far.bbox[2], 9);
    EXPECT_LE(far.bbox[1] + far.bbox[3], 9);
}

} // namespace
} // namespace maskscope
