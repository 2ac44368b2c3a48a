// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/strategy_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace maskscope {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The reference's GPUs: one link of 57 GB/s, a layer that one of two computes in 41 ms. The 5 ms
/// that its Ulysses leaves exposed are what the first and the last of four groups of this size
/// take.
constexpr LayerWork kReference{92'773, 48, 128, 2};
constexpr LinkFigures kReferenceLink{0, 57, 0};
GridWork referenceWork(RankGrid grid) {
    return {grid, grid.ulysses > 1 ? 4 : 1, 82.0 / grid.ranks()};
}

std::vector<StrategyForecast> forecasts(int ranks) {
    std::vector<StrategyForecast> all;
    for (const RankGrid& grid : gridsOf(ranks, kReference.heads))
        all.push_back(forecastOf(kReference, referenceWork(grid), kReferenceLink));
    return all;
}

std::string leastOf(const std::vector<StrategyForecast>& forecasts) {
    return nameOf(std::ranges::min(forecasts, {}, &StrategyForecast::ms).grid);
}

TEST(StrategyChoice, OnTwoDevicesTheRingHidesWhatUlyssesCannot) {
    const auto ring = forecastOf(kReference, referenceWork({1, 2}), kReferenceLink);
    EXPECT_DOUBLE_EQ(ring.ms, 41);
    EXPECT_EQ(ring.exposedMs, 0);
    const auto ulysses = forecastOf(kReference, referenceWork({2, 1}), kReferenceLink);
    EXPECT_NEAR(ulysses.ms, 46, 0.01);
    EXPECT_NEAR(ulysses.exposedMs, 5, 0.01);
    EXPECT_EQ(leastOf(forecasts(2)), "ring 2");
    // Measured: 8.4 % and 11.2 % of the whole.
    const double gain = 1 - ring.ms / ulysses.ms;
    EXPECT_GT(gain, 0.084);
    EXPECT_LT(gain, 0.112);
}

TEST(StrategyChoice, OnFourAndEightDevicesUlyssesWins) {
    EXPECT_EQ(leastOf(forecasts(4)), "Ulysses 4");
    EXPECT_EQ(leastOf(forecasts(8)), "Ulysses 8");
    // Measured: 59.47 s against 66.97 s.
    const auto ulysses = forecastOf(kReference, referenceWork({4, 1}), kReferenceLink);
    const auto both = forecastOf(kReference, referenceWork({2, 2}), kReferenceLink);
    EXPECT_GT(both.ms / ulysses.ms, 1.05);
}

TEST(StrategyChoice, BytesThatCostNothingAreNeverWaitedFor) {
    for (const RankGrid grid : {RankGrid{1, 1}, {1, 4}, {4, 1}, {2, 2}, {4, 8}}) {
        const auto forecast = forecastOf(kReference, referenceWork(grid), {0, kInfinite, 0});
        EXPECT_EQ(forecast.exposedMs, 0) << nameOf(grid);
        EXPECT_NEAR(forecast.ms, 82.0 / grid.ranks(), 1e-9) << nameOf(grid);
    }
}

TEST(StrategyChoice, ASingleDeviceNeedsNoLink) {
    const auto forecast = forecastOf(kReference, referenceWork({1, 1}), {1e9, 1e-9, 1e9});
    EXPECT_EQ(forecast.ms, 82);
    EXPECT_EQ(forecast.sentBytes, 0);
}

TEST(StrategyChoice, CountsWhatEachRankSends) {
    constexpr double kOwn = 1000 * 16 * 64 * 4 / 4.0; // of four ranks
    const LayerWork layer{1000, 16, 64, 4};
    const auto sent = [&](RankGrid grid, int groups) {
        return forecastOf(layer, {grid, groups, 10}, kReferenceLink).sentBytes;
    };
    EXPECT_DOUBLE_EQ(sent({1, 4}, 1), 3 * 2 * kOwn);
    EXPECT_DOUBLE_EQ(sent({1, 4}, 8), 3 * 2 * kOwn) << "in parts";
    EXPECT_DOUBLE_EQ(sent({4, 1}, 2), 4 * kOwn * 3 / 4);
    EXPECT_DOUBLE_EQ(sent({2, 2}, 2), 4 * kOwn / 2 + 2 * kOwn);
}

TEST(StrategyChoice, ASlowerLinkNeverHelps) {
    for (const RankGrid grid : {RankGrid{1, 2}, {2, 1}, {1, 4}, {4, 1}, {2, 2}})
        for (const double latency : {0.0, 5.0, 500.0}) {
            double before = 0;
            for (const double rate : {1000.0, 57.0, 20.0, 5.0, 1.0}) {
                const auto forecast
                    = forecastOf(kReference, referenceWork(grid), {latency, rate, 0});
                EXPECT_GE(forecast.ms, before) << nameOf(grid) << ' ' << rate;
                EXPECT_NEAR(forecast.ms, 82.0 / grid.ranks() + forecast.exposedMs, 1e-9);
                before = forecast.ms;
            }
        }
}

TEST(StrategyChoice, ARingWaitsForWhatItsChunksDoNotCover) {
    // Each hop carries 2 x 8 MB at 1 GB/s behind 10 ms; the last chunk has none to wait for.
    const LayerWork layer{4000, 16, 125, 4};
    const auto forecast = forecastOf(layer, {{1, 4}, 1, 40}, {0, 1, 0});
    EXPECT_DOUBLE_EQ(forecast.exposedMs, 3 * (16 - 10));
    // In two groups each hop is half as long, and each pays the latency.
    const auto groups = forecastOf(layer, {{1, 4}, 2, 40}, {1000, 1, 0});
    EXPECT_NEAR(groups.exposedMs, 2 * 3 * (8 + 1 - 5), 1e-9);
}

TEST(StrategyChoice, MoreGroupsLeaveUlyssesLessExposed) {
    const auto exposed = [](int groups, double latencyUs) {
        return forecastOf(kReference, {{2, 1}, groups, 41}, {latencyUs, 57, 0}).exposedMs;
    };
    EXPECT_NEAR(exposed(1, 0), 20, 0.01) << "all of it";
    EXPECT_NEAR(exposed(2, 0), 10, 0.01);
    EXPECT_NEAR(exposed(8, 0), 2.5, 0.01);
    EXPECT_NEAR(exposed(8, 100), 2.7, 0.01) << "latency before the first and behind the last";
}

TEST(StrategyChoice, KnowsTheWaysToShare) {
    const auto names = [](int ranks, std::int64_t heads) {
        std::string all;
        for (const RankGrid& grid : gridsOf(ranks, heads))
            all += nameOf(grid) + "; ";
        return all;
    };
    EXPECT_EQ(names(1, 16), "single device; ");
    EXPECT_EQ(names(2, 16), "single device; ring 2; Ulysses 2; ");
    EXPECT_EQ(names(4, 16), "single device; ring 4; Ulysses 2 x ring 2; Ulysses 4; ");
    EXPECT_EQ(names(4, 6), "single device; ring 4; Ulysses 2 x ring 2; ") << "4 do not share 6";
    EXPECT_EQ(names(3, 16), "single device; ring 3; ");
}

} // namespace
} // namespace maskscope
