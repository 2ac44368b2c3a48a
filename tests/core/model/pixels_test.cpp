// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pixels.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

namespace maskscope {

TEST(ModelSize, IsMultiplesOf32WithinTheLimitAndNearTheAspect) {
    for (const auto& [w, h] : {std::pair{640, 480}, std::pair{480, 640}, std::pair{1000, 1000},
             std::pair{3840, 2560}, std::pair{1920, 1080}, std::pair{100, 37}})
        for (const std::int64_t most : {36864, 147456, 500000, 8388608}) {
            const auto size = modelSize(w, h, most);
            EXPECT_EQ(size.width % 32, 0);
            EXPECT_EQ(size.height % 32, 0);
            EXPECT_LE(size.width * size.height, most);
            EXPECT_GT(double(size.width * size.height), 0.6 * double(most)) << w << "x" << h;
            const double stretch
                = std::log(double(size.width) / double(size.height) / (double(w) / double(h)));
            EXPECT_LT(std::abs(stretch), 0.25) << w << "x" << h << " at " << most;
        }
}

TEST(ModelSize, GivesTheTrainingSizeForASquare) {
    EXPECT_EQ(modelSize(500, 500, 36864), (ModelSize{192, 192}));
    EXPECT_EQ(modelSize(64, 64, 36864), (ModelSize{192, 192})) << "small images are enlarged";
}

TEST(ModelSize, GivesThePublishedGridOfEightMegapixels) {
    const auto size = modelSize(3840, 2560, 8388608);
    EXPECT_EQ(size, (ModelSize{3520, 2336}));
    EXPECT_EQ(size.patches(), 32120);
}

TEST(ModelSize, SurvivesExtremeShapes) {
    for (const auto& [w, h] : {std::pair{1, 1}, std::pair{1, 4096}, std::pair{4096, 1},
             std::pair{65535, 1}, std::pair{2000, 3}}) {
        const auto size = modelSize(w, h, 36864);
        EXPECT_GE(size.width, 32);
        EXPECT_GE(size.height, 32);
        EXPECT_LE(size.width * size.height, 36864);
    }
    EXPECT_EQ(modelSize(10, 10, 1024), (ModelSize{32, 32}));
}

TEST(ModelPixels, AreNormalisedAndKeepTheirPlace) {
    Image image;
    image.width = 64;
    image.height = 32;
    image.rgb.assign(64 * 32 * 3, 127);
    image.rgb[(5 * 64 + 40) * 3 + 1] = 255; // green of pixel (40, 5)
    const auto pixels = modelPixels(image, {64, 32});
    EXPECT_EQ(pixels.sizes(), (at::IntArrayRef{1, 3, 32, 64}));
    EXPECT_EQ(pixels[0][1][5][40].item<float>(), 1);
    EXPECT_EQ(pixels.abs().sum().item<float>(), 1);
}

TEST(ModelPixels, AreResizedWithoutAliasing) {
    Image image; // a checkerboard of single pixels averages to its mean
    image.width = image.height = 128;
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x)
            image.rgb.insert(image.rgb.end(), 3, (x + y) % 2 ? 254 : 0);
    const auto inner = modelPixels(image, {32, 32}).narrow(2, 4, 24).narrow(3, 4, 24);
    EXPECT_LE(inner.abs().max().item<float>(), 2.0F / 128);
}

} // namespace maskscope
