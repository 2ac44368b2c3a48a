// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/bilinear.h"
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace maskscope::kernels {
namespace {

/// Blobs, so that masks have borders, holes and empty rows as real ones do.
std::vector<float> blobs(std::int32_t h, std::int32_t w, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<float> logits(static_cast<std::size_t>(h) * static_cast<std::size_t>(w), -4);
    for (int blob = 0; blob < 4; ++blob) {
        const float cx = uniform(random) * static_cast<float>(w);
        const float cy = uniform(random) * static_cast<float>(h);
        const float radius = 0.5F + uniform(random) * static_cast<float>(std::max(h, w)) / 4;
        const float height = uniform(random) < 0.3F ? -9.0F : 9.0F;
        for (std::int32_t y = 0; y < h; ++y)
            for (std::int32_t x = 0; x < w; ++x)
                logits[static_cast<std::size_t>(y * w + x)] += height
                    * std::exp(-std::hypot(static_cast<float>(x) - cx, static_cast<float>(y) - cy)
                        / radius);
    }
    return logits;
}

std::vector<float> noise(std::int32_t h, std::int32_t w, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> logits(static_cast<std::size_t>(h) * static_cast<std::size_t>(w));
    std::generate(logits.begin(), logits.end(), [&] { return normal(random); });
    return logits;
}

struct Upsampled {
    std::vector<std::uint8_t> bits;
    MaskExtent extent;
};

Upsampled upsampled(const std::vector<float>& logits, std::int32_t h, std::int32_t w,
    std::int32_t height, std::int32_t width, float threshold = 0) {
    Upsampled result;
    result.bits.assign(static_cast<std::size_t>(height) * static_cast<std::size_t>(width), 7);
    result.extent
        = cpu::upsampleMask(logits.data(), h, w, threshold, result.bits.data(), height, width);
    return result;
}

void expectExtentOfBits(const Upsampled& mask, std::int32_t height, std::int32_t width) {
    MaskExtent expected{0, width, height, 0, 0};
    for (std::int32_t y = 0; y < height; ++y)
        for (std::int32_t x = 0; x < width; ++x)
            if (mask.bits[static_cast<std::size_t>(y * width + x)]) {
                ++expected.area;
                expected.left = std::min(expected.left, x);
                expected.top = std::min(expected.top, y);
                expected.right = std::max(expected.right, x + 1);
                expected.bottom = std::max(expected.bottom, y + 1);
            }
    EXPECT_EQ(mask.extent.area, expected.area);
    EXPECT_EQ(mask.extent.left, expected.left);
    EXPECT_EQ(mask.extent.top, expected.top);
    EXPECT_EQ(mask.extent.right, expected.right);
    EXPECT_EQ(mask.extent.bottom, expected.bottom);
}

/// Bits of PyTorch's logits, but where those are too near to the threshold to tell.
void expectBitsOfPyTorch(const Upsampled& mask, std::vector<float> logits, std::int32_t h,
    std::int32_t w, std::int32_t height, std::int32_t width) {
    const at::Tensor full = at::upsample_bilinear2d(
        at::from_blob(logits.data(), {1, 1, h, w}), {height, width}, false)
                                .contiguous();
    const float* reference = full.const_data_ptr<float>();
    for (std::size_t i = 0; i < mask.bits.size(); ++i)
        if (std::abs(reference[i]) >= 1e-5F) {
            ASSERT_EQ(mask.bits[i], reference[i] > 0 ? 1 : 0)
                << h << 'x' << w << " to " << height << 'x' << width << " at " << i;
        }
}

TEST(UpsampleMask, IsPyTorchsBilinearAboveTheThreshold) {
    const std::vector<std::array<std::int32_t, 4>> sizes{{8, 8, 16, 16}, {44, 66, 333, 500},
        {66, 44, 500, 333}, {88, 132, 176, 264}, {5, 7, 40, 3}, {16, 16, 16, 16}, {30, 40, 7, 9},
        {1, 1, 9, 4}, {1, 20, 13, 50}, {20, 1, 50, 13}, {2, 2, 1, 1}, {3, 3, 1, 200},
        {120, 176, 1000, 1463}};
    unsigned seed = 0;
    for (const auto& [h, w, height, width] : sizes)
        for (const auto& logits : {blobs(h, w, ++seed), noise(h, w, seed)}) {
            const Upsampled mask = upsampled(logits, h, w, height, width);
            expectBitsOfPyTorch(mask, logits, h, w, height, width);
            expectExtentOfBits(mask, height, width);
        }
}

// The loop leaves out columns that cannot be inside; pixel by pixel it must make no difference.
TEST(UpsampleMask, IsItsPerPixelFunctionsEverywhere) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const std::int32_t h = 9, w = 13, height = 50 + static_cast<std::int32_t>(seed), width = 71;
        const auto logits = seed % 2 ? blobs(h, w, seed) : noise(h, w, seed);
        const Upsampled mask = upsampled(logits, h, w, height, width);
        for (std::int32_t y = 0; y < height; ++y)
            for (std::int32_t x = 0; x < width; ++x) {
                const Tap rows = tapAt(y, float(h) / float(height), h);
                const Tap columns = tapAt(x, float(w) / float(width), w);
                const auto down = [&](std::int32_t column) {
                    return mixed(logits[static_cast<std::size_t>(rows.first * w + column)],
                        logits[static_cast<std::size_t>(rows.second * w + column)], rows.weight);
                };
                const float logit
                    = mixed(down(columns.first), down(columns.second), columns.weight);
                ASSERT_EQ(mask.bits[static_cast<std::size_t>(y * width + x)], logit > 0);
            }
    }
}

TEST(UpsampleMask, EmptyAndFull) {
    const Upsampled empty = upsampled(std::vector<float>(12, -1), 3, 4, 30, 41);
    EXPECT_EQ(empty.extent.area, 0);
    EXPECT_LE(empty.extent.right, empty.extent.left);
    EXPECT_EQ(std::count(empty.bits.begin(), empty.bits.end(), 0), 30 * 41);
    const Upsampled full = upsampled(std::vector<float>(12, 1), 3, 4, 30, 41);
    EXPECT_EQ(full.extent.area, 30 * 41);
    expectExtentOfBits(full, 30, 41);
    EXPECT_EQ(upsampled(std::vector<float>(12, 0), 3, 4, 30, 41).extent.area, 0); // 0 is outside
}

TEST(UpsampleMask, OtherThresholdsAndNumbersThatAreNone) {
    std::vector<float> logits{0, 1, 2, 3};
    EXPECT_EQ(upsampled(logits, 1, 4, 1, 4, 1.5F).bits, (std::vector<std::uint8_t>{0, 0, 1, 1}));
    logits[2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(upsampled(logits, 1, 4, 1, 4, 0.5F).bits, (std::vector<std::uint8_t>{0, 0, 0, 1}));
    EXPECT_EQ(upsampled(logits, 1, 4, 2, 4, 0.5F).extent.area, 2);
}

} // namespace
} // namespace maskscope::kernels
