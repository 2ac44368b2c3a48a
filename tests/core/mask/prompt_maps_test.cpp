// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/prompt_maps.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// A grid of 2 x 3 patches stands for 32 x 48 pixels, so 1 / 48 is a pixel's width.
PromptMaps mapsOf(const ObjectPrompt& prompt) {
    return promptMaps({prompt}, 2, 3);
}

float at(const at::Tensor& maps, int channel, int row, int column) {
    return maps[0][channel][row][column].item<float>();
}

} // namespace

TEST(PromptMaps, EmptyPromptsAreZeros) {
    const auto maps = promptMaps(std::vector<ObjectPrompt>(2), 2, 3);
    EXPECT_EQ(maps.count(), 2);
    EXPECT_EQ(maps.maps16.sizes(), (at::IntArrayRef{2, 5, 2, 3}));
    EXPECT_EQ(maps.maps4.sizes(), (at::IntArrayRef{2, 4, 8, 12}));
    EXPECT_EQ(maps.maps16.abs().sum().item<float>(), 0);
    EXPECT_EQ(maps.maps4.abs().sum().item<float>(), 0);
    EXPECT_EQ(maps.boxes.abs().sum().item<float>(), 0);
}

TEST(PromptMaps, AClickInAPlacesCentreIsThatPlace) {
    // The centre of patch (row 1, column 2) is pixel position (40, 24).
    const auto maps = mapsOf({{{40.0 / 48, 24.0 / 32, PointSign::Positive}}, {}, {}});
    EXPECT_FLOAT_EQ(at(maps.maps16, 0, 1, 2), 1);
    EXPECT_FLOAT_EQ(maps.maps16[0][0].sum().item<float>(), 1);
    EXPECT_FLOAT_EQ(maps.maps16[0][1].sum().item<float>(), 0);
}

TEST(PromptMaps, AClickBetweenPlacesIsSharedBilinearly) {
    // A quarter of a patch to the left of that centre.
    const auto maps = mapsOf({{{36.0 / 48, 24.0 / 32, PointSign::Negative}}, {}, {}});
    EXPECT_FLOAT_EQ(at(maps.maps16, 1, 1, 2), 0.75F);
    EXPECT_FLOAT_EQ(at(maps.maps16, 1, 1, 1), 0.25F);
    EXPECT_FLOAT_EQ(maps.maps16[0][0].sum().item<float>(), 0);
    // At stride 4 that is position 9 of 12, between places 8 and 9, and 6 of 8.
    EXPECT_FLOAT_EQ(at(maps.maps4, 1, 5, 8), 0.25F);
    EXPECT_FLOAT_EQ(at(maps.maps4, 1, 6, 9), 0.25F);
}

TEST(PromptMaps, AClickAtTheRimStaysWhole) {
    for (const double x : {0.0, 1.0})
        for (const double y : {0.0, 1.0}) {
            const auto maps = mapsOf({{{x, y, PointSign::Positive}}, {}, {}});
            EXPECT_FLOAT_EQ(at(maps.maps16, 0, y > 0 ? 1 : 0, x > 0 ? 2 : 0), 1);
        }
}

TEST(PromptMaps, ABoxCoversPartsOfPlaces) {
    // Pixels 8 to 32 wide, 16 to 24 high.
    const auto maps = mapsOf({{}, BoxPrompt{8.0 / 48, 16.0 / 32, 32.0 / 48, 24.0 / 32}, {}});
    EXPECT_FLOAT_EQ(at(maps.maps16, 2, 1, 0), 0.25F);
    EXPECT_FLOAT_EQ(at(maps.maps16, 2, 1, 1), 0.5F);
    EXPECT_FLOAT_EQ(at(maps.maps16, 2, 1, 2), 0);
    EXPECT_FLOAT_EQ(at(maps.maps16, 2, 0, 1), 0);
    EXPECT_FLOAT_EQ(maps.maps4[0][2].sum().item<float>(), 6 * 2);
    EXPECT_FLOAT_EQ(maps.boxes[0][2].item<float>(), 32.0F / 48);
}

TEST(PromptMaps, TheEdgesDistanceIsPositiveInsideAndBounded) {
    const auto maps = promptMaps({{{}, BoxPrompt{0.25, 0.25, 0.75, 0.75}, {}}}, 32, 32);
    const auto distance = maps.maps16[0][3];
    EXPECT_FLOAT_EQ(distance[16][16].item<float>(), 1); // 7.5 patches from the edge
    EXPECT_FLOAT_EQ(distance[16][8].item<float>(), 0.125F); // half a patch inside
    EXPECT_FLOAT_EQ(distance[16][7].item<float>(), -0.125F);
    EXPECT_FLOAT_EQ(distance[0][0].item<float>(), -1);
}

TEST(PromptMaps, ThePreviousMaskIsItsProbability) {
    const auto logits = at::full({16, 24}, -100.0);
    logits.narrow(0, 0, 4).narrow(1, 0, 8).fill_(100);
    const auto maps = mapsOf({{}, {}, logits});
    EXPECT_FLOAT_EQ(at(maps.maps16, 4, 0, 0), 0.5F);
    EXPECT_FLOAT_EQ(at(maps.maps16, 4, 0, 1), 0);
    EXPECT_FLOAT_EQ(at(maps.maps4, 3, 1, 3), 1);
    EXPECT_FLOAT_EQ(at(maps.maps4, 3, 2, 3), 0);
    EXPECT_THROW(mapsOf({{}, {}, at::zeros({16, 16})}), Failure);
}

} // namespace maskscope
