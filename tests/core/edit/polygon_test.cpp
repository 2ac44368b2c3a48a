// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/polygon.h"

#include "core/edit/boolean.h"
#include "tests/core/edit/edit_case.h"
#include "tests/core/edit/random_mask.h"

#include <gtest/gtest.h>
#include <limits>

namespace maskscope {
namespace {

TEST(Polygon, HoldsThePixelsThatOthersFind) {
    for (const auto& known : editCases().at("polygons")) {
        std::vector<ImagePoint> points;
        for (const auto& point : known.at("points"))
            points.push_back({point.at(0), point.at(1)});
        const Mask mask = drawnMask(known.at("mask"));
        EXPECT_EQ(insideOf(points, mask.width, mask.height), runsOf(mask));
    }
}

TEST(Polygon, SharesNoPixelWithItsNeighbour) {
    // Two halves of a square, cut through the centres of pixels.
    const std::vector<ImagePoint> lower{{0.5, 0.5}, {6.5, 6.5}, {0.5, 6.5}};
    const std::vector<ImagePoint> upper{{0.5, 0.5}, {6.5, 0.5}, {6.5, 6.5}};
    const MaskRuns a = insideOf(lower, 8, 8), b = insideOf(upper, 8, 8);
    EXPECT_TRUE(intersect(a, b).isEmpty());
    EXPECT_EQ(unite(a, b), runsOf(maskWhere(8, 8, [](int x, int y) { return x < 6 && y < 6; })));
}

TEST(Polygon, ReachesOverTheImageAndLeavesOutWhatIsNoPlace) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const std::vector<ImagePoint> around{
        {-1e9, -1e9}, {none, 3}, {1e9, -1e9}, {1e9, 1e9}, {-1e9, 1e9}};
    EXPECT_EQ(insideOf(around, 5, 3), runsOf(maskWhere(5, 3, [](int, int) { return true; })));
    EXPECT_TRUE(insideOf(std::span(around).first(2), 5, 3).isEmpty());
    EXPECT_TRUE(insideOf({}, 5, 3).isEmpty());
}

} // namespace
} // namespace maskscope
