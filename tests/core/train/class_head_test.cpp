// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/class_head.h"

#include "core/model/patch_embedder.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

TEST(StatisticsOf, AreThoseOfTheChannelsWithAFloor) {
    auto generator = at::detail::createCPUGenerator(3);
    auto channels = at::randn({5000, PatchEmbedder::kChannels}, generator) * 2 + 7;
    channels.select(1, 5).fill_(1); // silent
    const auto statistics = statisticsOf(channels.to(at::kHalf));
    const auto mean = channels.to(at::kHalf).to(at::kFloat).mean(0);
    EXPECT_LT((statistics.mean - mean).abs().max().item<double>(), 1e-4);
    EXPECT_NEAR(statistics.deviation[300].item<double>(), 2, 0.1);
    // A quarter of the mean deviation of stride 16, where one of 112 is silent.
    EXPECT_NEAR(statistics.deviation[5].item<double>(), 0.25 * 2 * 111 / 112, 0.02);
}

TEST(FitClassHead, LearnsClassesThatChannelsShow) {
    auto generator = at::detail::createCPUGenerator(4);
    const auto classes = at::randint(0, 5, {1500}, generator, at::kLong);
    auto channels = at::randn({1500, PatchEmbedder::kChannels}, generator);
    for (std::int64_t k = 0; k < 5; ++k)
        channels.slice(1, 200 + 40 * k, 240 + 40 * k)
            .add_(classes.eq(k).to(at::kFloat).unsqueeze(1) * 2);
    PatchSamples samples;
    samples.add(channels, classes);
    const auto statistics = statisticsOf(samples.channels());
    const auto fit = fitClassHead(samples, statistics, 5, 12, 1);
    EXPECT_GT(fit.heldOutRight, 0.9);
    EXPECT_GT(fit.heldOutObjectsRight, 0.9);
    const auto again = fitClassHead(samples, statistics, 5, 12, 1);
    EXPECT_TRUE(again.weight.equal(fit.weight));
}

} // namespace
} // namespace maskscope
