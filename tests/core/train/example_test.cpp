// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/example.h"

#include "tests/core/train/wave.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

TEST(MaskTargets, AreSharesOfPlacesAndTheBoxAroundTheOnes) {
    // 32 x 32; ones in columns 8..23 and rows 0..4.
    std::vector<std::uint8_t> mask(32 * 32, 0);
    for (std::size_t y = 0; y < 5; ++y)
        for (std::size_t x = 8; x < 24; ++x)
            mask[y * 32 + x] = 1;
    const auto targets = maskTargets({mask, std::vector<std::uint8_t>(32 * 32, 0)}, 32, 32);
    EXPECT_EQ(targets.half.sizes(), (at::IntArrayRef{2, 16, 16}));
    EXPECT_FLOAT_EQ(targets.half[0][1][4].item<float>(), 1);
    EXPECT_FLOAT_EQ(targets.half[0][2][4].item<float>(), 0.5F); // row 4 of rows 4 and 5
    EXPECT_FLOAT_EQ(targets.half[0][3][4].item<float>(), 0);
    EXPECT_FLOAT_EQ(targets.half[0][1][3].item<float>(), 0);
    // Patches of 16 x 16: half of the columns and 5 of 16 rows.
    const auto patches = floatsOf(targets.patches[0]);
    EXPECT_EQ(patches, (std::vector<float>{0.5F * 5 / 16, 0.5F * 5 / 16, 0, 0}));
    EXPECT_EQ(floatsOf(targets.boxes[0]), (std::vector<float>{0.5F, 2.5F / 32, 0.5F, 5.0F / 32}));
    EXPECT_EQ(floatsOf(targets.boxWeights), (std::vector<float>{1, 0}));
    EXPECT_EQ(targets.half[1].abs().max().item<float>(), 0);
}

TEST(MaskTargets, OfNothingAreEmpty) {
    const auto targets = maskTargets({}, 64, 32);
    EXPECT_EQ(targets.half.sizes(), (at::IntArrayRef{0, 16, 32}));
    EXPECT_EQ(targets.patches.sizes(), (at::IntArrayRef{0, 8}));
}

} // namespace
} // namespace maskscope
