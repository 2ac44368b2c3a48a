// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/regions.h"

#include "core/edit/grow.h"
#include "tests/core/edit/edit_case.h"
#include "tests/core/edit/random_mask.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

MaskRuns drawnRuns(const nlohmann::json& rows) {
    return runsOf(drawnMask(rows));
}

TEST(Regions, AreThoseThatOthersFind) {
    for (const auto& known : editCases().at("regions")) {
        const MaskRuns mask = drawnRuns(known.at("mask"));
        EXPECT_EQ(countParts(mask), known.at("parts"));
        EXPECT_EQ(countHoles(mask), known.at("holes"));
        EXPECT_EQ(fillHoles(mask), drawnRuns(known.at("filled")));
        EXPECT_EQ(fillHoles(mask, 2), drawnRuns(known.at("filled_to_2")));
        EXPECT_EQ(removeIslands(mask, 4), drawnRuns(known.at("without_below_4")));
        EXPECT_EQ(keepLargest(mask), drawnRuns(known.at("largest")));
    }
}

TEST(Regions, AreCountedAsByEuler) {
    // Parts less holes from the 2 x 2 windows alone (Gray 1971, 8-connected).
    std::mt19937 random(8);
    for (int i = 0; i < 200; ++i) {
        const Mask mask = randomMask(random, 23, 17);
        const auto at = [&](int x, int y) {
            return x >= 0 && y >= 0 && x < mask.width && y < mask.height
                && mask.bits[static_cast<std::size_t>(y * mask.width + x)] != 0;
        };
        int ones = 0, threes = 0, diagonals = 0;
        for (int y = -1; y < mask.height; ++y)
            for (int x = -1; x < mask.width; ++x) {
                const bool a = at(x, y), b = at(x + 1, y), c = at(x, y + 1), d = at(x + 1, y + 1);
                const int count = a + b + c + d;
                ones += count == 1 ? 1 : 0;
                threes += count == 3 ? 1 : 0;
                diagonals += count == 2 && a == d ? 1 : 0;
            }
        const MaskRuns runs = runsOf(mask);
        EXPECT_EQ(4 * (countParts(runs) - countHoles(runs)), ones - threes - 2 * diagonals);
    }
}

TEST(Regions, AnEmptyMaskHasNone) {
    const MaskRuns empty;
    EXPECT_EQ(countParts(empty), 0);
    EXPECT_EQ(countHoles(empty), 0);
    EXPECT_EQ(fillHoles(empty), empty);
    EXPECT_EQ(removeIslands(empty, 3), empty);
    EXPECT_EQ(keepLargest(empty), empty);
}

TEST(Grow, IsDilationAndErosionByADisc) {
    for (const auto& known : editCases().at("regions")) {
        const Mask mask = drawnMask(known.at("mask"));
        const MaskRuns runs = runsOf(mask);
        EXPECT_EQ(grow(runs, 3, mask.width, mask.height), drawnRuns(known.at("grown_by_3")));
        EXPECT_EQ(shrink(runs, 2, mask.width, mask.height), drawnRuns(known.at("shrunk_by_2")));
        EXPECT_EQ(grow(runs, 0, mask.width, mask.height), runs);
        EXPECT_EQ(shrink(runs, 0, mask.width, mask.height), runs);
    }
}

} // namespace
} // namespace maskscope
