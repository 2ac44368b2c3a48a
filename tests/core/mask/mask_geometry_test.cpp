// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_geometry.h"

#include "core/mask/mask_colour.h"
#include "tests/core/mask/sample_masks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace maskscope {
namespace {

using test::maskOf;

TEST(MaskGeometry, CountsAndBoxesTheOnes) {
    const Mask mask = maskOf({"......", "..#...", "....#.", "..#..."});
    EXPECT_EQ(mask.area, 3);
    EXPECT_EQ(mask.bbox, (std::array<int, 4>{2, 1, 3, 3}));
    const Mask whole = maskOf({"##", "##"});
    EXPECT_EQ(whole.area, 4);
    EXPECT_EQ(whole.bbox, (std::array<int, 4>{0, 0, 2, 2}));
}

TEST(MaskGeometry, EmptyMaskHasNoBox) {
    Mask mask = maskOf({"#"});
    mask.bits = {0};
    measure(mask);
    EXPECT_EQ(mask.area, 0);
    EXPECT_EQ(mask.bbox, (std::array<int, 4>{}));
}

TEST(MaskColour, DiffersForManyMasks) {
    std::set<std::array<std::uint8_t, 3>> colours;
    for (int i = 0; i < 28; ++i)
        colours.insert(maskColour(i));
    EXPECT_EQ(colours.size(), 28u);
    EXPECT_EQ(maskColour(28), maskColour(0));
    EXPECT_EQ(maskColour(-1), maskColour(0));
    EXPECT_EQ(colours.count({0, 0, 0}), 0u);
}

TEST(IouOf, CountsSharedOverEither) {
    EXPECT_DOUBLE_EQ(
        iouOf(std::vector<std::uint8_t>{1, 1, 0, 0}, std::vector<std::uint8_t>{0, 1, 1, 0}),
        1.0 / 3);
    EXPECT_DOUBLE_EQ(iouOf(std::vector<std::uint8_t>{255, 0}, std::vector<std::uint8_t>{1, 0}), 1);
    EXPECT_DOUBLE_EQ(iouOf(std::vector<std::uint8_t>{0, 0}, std::vector<std::uint8_t>{0, 0}), 1);
    EXPECT_DOUBLE_EQ(iouOf(std::vector<std::uint8_t>{0, 1}, std::vector<std::uint8_t>{0, 0}), 0);
}

} // namespace
} // namespace maskscope
