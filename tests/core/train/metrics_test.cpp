// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/metrics.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

TEST(BootstrapMean, OfEqualValuesHasNoWidth) {
    const std::vector<std::vector<double>> scenes{{0.5, 0.5}, {}, {0.5}};
    const auto interval = bootstrapMean(scenes);
    EXPECT_DOUBLE_EQ(interval.mean, 0.5);
    EXPECT_DOUBLE_EQ(interval.low, 0.5);
    EXPECT_DOUBLE_EQ(interval.high, 0.5);
    EXPECT_EQ(interval.count, 3U);
}

TEST(BootstrapMean, CoversTheNormalInterval) {
    // 400 scenes, half 0 and half 1: standard error 0.025, so 0.5 ± 0.049.
    std::vector<std::vector<double>> scenes;
    for (int i = 0; i < 400; ++i)
        scenes.push_back({i % 2 ? 1.0 : 0.0});
    const auto interval = bootstrapMean(scenes);
    EXPECT_DOUBLE_EQ(interval.mean, 0.5);
    EXPECT_NEAR(interval.low, 0.451, 0.006);
    EXPECT_NEAR(interval.high, 0.549, 0.006);
}

TEST(BootstrapMean, DrawsScenesNotValues) {
    // Two scenes that contradict each other: drawing scenes, a mean of 0 or 1 comes up in a quarter
    // of the draws each; drawing the 200 values, never.
    const std::vector<std::vector<double>> scenes{
        std::vector<double>(100, 0.0), std::vector<double>(100, 1.0)};
    const auto interval = bootstrapMean(scenes);
    EXPECT_DOUBLE_EQ(interval.low, 0);
    EXPECT_DOUBLE_EQ(interval.high, 1);
}

TEST(BootstrapMean, OfNothingIsZero) {
    EXPECT_EQ(bootstrapMean({}).count, 0U);
}

} // namespace
} // namespace maskscope
