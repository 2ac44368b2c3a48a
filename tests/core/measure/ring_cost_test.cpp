// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ring_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/measure/ring_contest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace maskscope {
namespace {

RingCostPlan smallPlan(int ranks) {
    RingCostPlan plan;
    plan.shape.patches = 203;
    plan.shape.heads = 8;
    plan.shape.headDim = 32;
    plan.shape.devices.assign(static_cast<std::size_t>(ranks), "cpu");
    plan.rounds = 3;
    plan.rehearsalMs = 0; // the fewest rounds
    return plan;
}

TEST(RingCost, ComparesAllWaysToShareOnEachLink) {
    RingCostPlan plan = smallPlan(4);
    plan.links = {{0.5, 50}, {20, 0}};
    int told = 0;
    const auto costs = measureRing(plan, [&](int round) { EXPECT_EQ(round, ++told); }, {});
    EXPECT_EQ(told, plan.rounds);
    ASSERT_EQ(costs.size(), 2U);
    for (const RingCost& cost : costs) {
        EXPECT_EQ(cost.ranks, 4);
        EXPECT_LE(cost.largestDifference, 2e-6);
        ASSERT_EQ(cost.strategies.size(), 4U);
        for (const StrategyCost& strategy : cost.strategies) {
            EXPECT_GT(strategy.ms.low, 0);
            EXPECT_GT(strategy.predictedMs, 0);
            EXPECT_GE(strategy.linkMs, 0);
            EXPECT_LT(strategy.exposedMs, strategy.ms.high);
            EXPECT_NEAR(strategy.overhead,
                strategy.grid.ranks() * strategy.ms.median / cost.strategies[0].ms.median - 1,
                1e-12);
        }
        EXPECT_NE(cost.sentence().find("Ulysses 2 x ring 2: "), std::string::npos);
        for (std::size_t which = 1; which < cost.strategies.size(); ++which)
            EXPECT_LE(
                cost.strategies[cost.quickestShared()].ms.median, cost.strategies[which].ms.median);
        EXPECT_EQ(cost.strategies[cost.verdict.recommended].predictedMs,
            std::ranges::min(cost.strategies, {}, &StrategyCost::predictedMs).predictedMs);
        EXPECT_LE(cost.ratioLow, cost.ratio);
        EXPECT_LE(cost.ratio, cost.ratioHigh);
    }
    EXPECT_EQ(costs[0].asked.gigabytesPerSecond, 0.5);
    EXPECT_EQ(costs[1].asked.gigabytesPerSecond, 20);
}

TEST(RingCost, MeasuresTheWaysThatAreAskedFor) {
    RingCostPlan plan = smallPlan(2);
    plan.ulysses = {2};
    const auto costs = measureRing(plan, [](int) {}, {});
    ASSERT_EQ(costs.at(0).strategies.size(), 2U);
    EXPECT_EQ(nameOf(costs[0].strategies[1].grid), "Ulysses 2");
    EXPECT_EQ(costs[0].quickestShared(), 1U);
}

TEST(RingCost, TracesTheRanksOfTheBestWay) {
    std::string trace;
    measureRing(
        smallPlan(2), [](int) {}, {}, &trace);
    for (const char* part : {"\"rank 0\"", "\"rank 1\"", "\"transfer\"", "\"compute\""})
        EXPECT_NE(trace.find(part), std::string::npos) << part;
}

TEST(RingCost, RefusesWhatCannotBeShared) {
    const auto kindOf = [](const RingCostPlan& plan) {
        try {
            measureRing(plan, [](int) {}, {});
        } catch (const Failure& failure) {
            return failure.error().kind;
        }
        return ErrorKind::Internal;
    };
    EXPECT_EQ(kindOf(smallPlan(1)), ErrorKind::Usage);
    RingCostPlan plan = smallPlan(2);
    plan.shape.heads = 3;
    EXPECT_NO_THROW(measureRing(plan, [](int) {}, {})) << "a ring needs no equal parts";
    plan.ulysses = {2};
    EXPECT_EQ(kindOf(plan), ErrorKind::Usage);
    plan = smallPlan(4);
    plan.ulysses = {3};
    EXPECT_EQ(kindOf(plan), ErrorKind::Usage);
    plan = smallPlan(2);
    plan.shape.devices = {"cuda:0", "cuda:1"};
    EXPECT_EQ(kindOf(plan), ErrorKind::Device);
}

TEST(RingCost, TellsThatMemoryDoesNotDo) {
    RingCostPlan plan = smallPlan(2);
    plan.shape.patches = 1 << 20; // 4 TiB for the queries alone
    plan.shape.heads = plan.shape.headDim = 1024;
    try {
        measureRing(
            plan, [](int) {}, {}, nullptr);
        FAIL() << "was measured";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Memory);
        EXPECT_NE(std::string(failure.what()).find("4 TiB"), std::string::npos) << failure.what();
    }
}

TEST(RingCost, StopsBetweenRounds) {
    std::stop_source stop;
    int told = 0;
    EXPECT_THROW(measureRing(
                     smallPlan(2),
                     [&](int) {
                         ++told;
                         stop.request_stop();
                     },
                     stop.get_token()),
        Cancelled);
    EXPECT_EQ(told, 1);
}

TEST(RingCost, PredictsFromLayersOverThatLink) {
    // A megabyte takes 10 ms and each message 5: Ulysses sends four times half of each rank's
    // megabyte, of which three go before anything is computed; a ring sends two whole ones.
    RingCostPlan plan = smallPlan(2);
    plan.shape.patches = 2048;
    plan.shape.heads = 16;
    plan.shape.headDim = 16;
    plan.links = {{0.1, 5000}, {}};
    plan.rounds = 1;
    const auto costs = measureRing(plan, [](int) {}, {});
    for (const std::size_t which : {1U, 2U}) {
        const StrategyCost& slow = costs.at(0).strategies.at(which);
        const StrategyCost& quick = costs.at(1).strategies.at(which);
        const double linkMs = slow.sentBytes / 0.1 / 1e6;
        EXPECT_DOUBLE_EQ(linkMs, 2 * 10.48576) << nameOf(slow.grid);
        EXPECT_GE(slow.predictedMs, linkMs) << "no rehearsal is quicker than its link";
        EXPECT_LE(quick.linkMs, slow.linkMs) << nameOf(slow.grid);
    }
    EXPECT_EQ(costs[0].strategies[0].predictedMs, costs[1].strategies[0].predictedMs)
        << "one device has no link";
}

TEST(RingCost, TellsPredictionsQuickestFirst) {
    RingCost cost;
    cost.strategies.resize(3);
    cost.strategies[0].grid = {1, 1};
    cost.strategies[0].predictedMs = 82;
    cost.strategies[1].grid = {1, 2};
    cost.strategies[1].predictedMs = 41.04;
    cost.strategies[2].grid = {2, 1};
    cost.strategies[2].predictedMs = 46;
    cost.strategies[2].linkMs = 4.96;
    EXPECT_EQ(cost.sentence(),
        "ring 2: 41.0 ms; Ulysses 2: 46.0 ms, 5.0 for the link; single device: 82.0 ms");
}

TEST(RingContest, KnowsTheGroupsOfHeadsOfEachWay) {
    RingShape shape = smallPlan(4).shape;
    shape.heads = 16;
    const RingContest contest(shape, {});
    ASSERT_EQ(contest.grids().size(), 4U);
    EXPECT_EQ(nameOf(contest.work(0, 7).grid), "single device");
    EXPECT_EQ(contest.work(0, 7).ms, 7);
    EXPECT_EQ(contest.work(0, 7).groups, 1);
    EXPECT_EQ(contest.work(1, 7).groups, 4) << "a ring goes by four heads";
    EXPECT_EQ(contest.work(2, 7).groups, 4) << "Ulysses by a quarter of a rank's eight";
    EXPECT_EQ(contest.work(3, 7).groups, 4) << "or of its four";
}

} // namespace
} // namespace maskscope
