// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/token_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"

#include <gtest/gtest.h>

#include <map>

namespace maskscope {
namespace {

LanguageConfig small() {
    LanguageConfig config;
    config.vocabulary = 300;
    config.mostPositions = 300;
    return config;
}

std::map<std::pair<KvCacheMode, std::int64_t>, TokenCost> costsOf(const TokenCostPlan& plan) {
    std::map<std::pair<KvCacheMode, std::int64_t>, TokenCost> costs;
    for (const TokenCost& cost : measureTokens(plan, [](const TokenCost&) {}, {}))
        costs[{cost.mode, cost.position}] = cost;
    return costs;
}

TEST(TokenCost, KeepsWhatTheShapesSay) {
    TokenCostPlan plan{small(), {32, 64, 256}};
    plan.repeats = 3;
    const auto costs = costsOf(plan);
    ASSERT_EQ(costs.size(), 6U);
    // 2 x 4 layers x 2 heads x 32 x 4 bytes for each of the tokens that there is room for.
    EXPECT_EQ(cacheBytesPerToken(small(), Precision::Float32), 2048);
    for (const std::int64_t position : {32, 64, 256}) {
        const std::int64_t kept = costs.at({KvCacheMode::On, position}).keptBytes;
        EXPECT_NEAR(double(kept), 2048.0 * double(position + 3), 64.0 * 8) << position;
        // Without the cache only the embeddings stay, 192 x 4 bytes a token.
        EXPECT_NEAR(
            double(costs.at({KvCacheMode::Off, position}).keptBytes), 768.0 * double(position), 64)
            << position;
    }
}

TEST(TokenCost, WithoutTheCacheGrowsWithThePosition) {
    TokenCostPlan plan{small(), {32, 256}};
    plan.repeats = 3;
    const auto costs = costsOf(plan);
    const auto extra = [&](KvCacheMode mode, std::int64_t position) {
        return costs.at({mode, position}).extraPeakBytes;
    };
    EXPECT_GT(extra(KvCacheMode::Off, 256), 4 * extra(KvCacheMode::Off, 32));
    EXPECT_LT(extra(KvCacheMode::On, 256), 2 * extra(KvCacheMode::On, 32));
    for (const auto& [key, cost] : costs) {
        EXPECT_GT(cost.ms, 0);
        EXPECT_LE(cost.lowMs, cost.ms);
        EXPECT_GE(cost.highMs, cost.ms);
    }
}

TEST(TokenCost, HalvesInHalfPrecision) {
    TokenCostPlan plan{small(), {64}};
    plan.precision = Precision::BFloat16;
    plan.repeats = 1;
    EXPECT_NEAR(double(costsOf(plan).at({KvCacheMode::On, 64}).keptBytes), 1024.0 * 65, 64.0 * 8);
}

TEST(TokenCost, KnowsThePublishedShapes) {
    // SmolLM2-135M has 134,515,008 parameters; its cache takes 2 x 30 x 3 x 64 x 2 bytes a token.
    const LanguageConfig config = publishedLanguage("nanovlm-222m").value();
    EXPECT_EQ(cacheBytesPerToken(config, Precision::BFloat16), 23040);
    EXPECT_EQ(config.headDim, 64);
    EXPECT_FALSE(publishedLanguage("nanovlm"));
}

TEST(TokenCost, RefusesPositionsThatTheModelDoesNotHave) {
    TokenCostPlan plan{small(), {298}};
    try {
        (void)costsOf(plan);
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Usage);
        EXPECT_NE(failure.error().sentence.find("298"), std::string::npos);
    }
    plan.positions = {};
    EXPECT_THROW((void)costsOf(plan), Failure);
}

TEST(TokenCost, StopsBetweenPositions) {
    std::stop_source stop;
    TokenCostPlan plan{small(), {32, 64}};
    int costs = 0;
    const auto once = [&](const TokenCost&) {
        ++costs;
        stop.request_stop();
    };
    EXPECT_THROW((void)measureTokens(plan, once, stop.get_token()), Cancelled);
    EXPECT_EQ(costs, 1);
}

} // namespace
} // namespace maskscope
