// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_runs.h"

#include "tests/core/mask/drawn_mask.h"

#include <gtest/gtest.h>

#include <array>

namespace maskscope {
namespace {

TEST(MaskRuns, HoldExactlyTheMask) {
    const Mask mask = drawnMask({
        "......",
        ".###.#",
        ".#.#..",
        "......",
        ".##.##",
    });
    const MaskRuns runs = runsOf(mask);
    EXPECT_EQ(runs.bbox, (std::array{1, 1, 5, 4}));
    EXPECT_EQ(runs.area(), mask.area);
    EXPECT_EQ(runs.row(1).size(), 4u);
    EXPECT_TRUE(runs.row(3).empty() && runs.row(0).empty() && runs.row(-9).empty());
    for (int y = -1; y <= mask.height; ++y)
        for (int x = -1; x <= mask.width; ++x) {
            const bool inside = x >= 0 && y >= 0 && x < mask.width && y < mask.height
                && mask.bits[static_cast<std::size_t>(y * mask.width + x)] != 0;
            EXPECT_EQ(runs.contains(x, y), inside) << x << ", " << y;
        }
}

TEST(MaskRuns, BecomeTheMaskAgain) {
    const Mask mask = drawnMask({
        "#....#",
        "......",
        "..##..",
        "#....#",
    });
    const Mask again = maskOf(runsOf(mask), mask.width, mask.height);
    EXPECT_EQ(again.bits, mask.bits);
    EXPECT_EQ(again.area, mask.area);
    EXPECT_EQ(again.bbox, mask.bbox);
}

TEST(MaskRuns, AnEmptyMaskHasNone) {
    const Mask mask = drawnMask({"..."});
    const MaskRuns runs = runsOf(mask);
    EXPECT_TRUE(runs.isEmpty() && runs.edges.empty());
    EXPECT_FALSE(runs.contains(0, 0));
    EXPECT_EQ(maskOf(runs, 3, 1).bits, mask.bits);
}

} // namespace
} // namespace maskscope
