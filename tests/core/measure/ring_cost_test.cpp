// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ring_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/measure/ring_contest.h"

#include <gtest/gtest.h>

#include <algorithm>
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
            EXPECT_GT(strategy.predicted.ms, strategy.predicted.exposedMs);
            EXPECT_LT(strategy.exposedMs, strategy.ms.high);
            EXPECT_NEAR(strategy.overhead,
                strategy.predicted.grid.ranks() * strategy.ms.median / cost.strategies[0].ms.median
                    - 1,
                1e-12);
        }
        EXPECT_NE(cost.sentence().find("Ulysses 2 x ring 2: "), std::string::npos);
        for (std::size_t which = 1; which < cost.strategies.size(); ++which)
            EXPECT_LE(
                cost.strategies[cost.quickestShared()].ms.median, cost.strategies[which].ms.median);
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
    EXPECT_EQ(nameOf(costs[0].strategies[1].predicted.grid), "Ulysses 2");
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

TEST(RingContest, AProbeKnowsEachWayAndItsGroups) {
    RingShape shape = smallPlan(4).shape;
    shape.heads = 16;
    RingContest contest(shape, {});
    const std::vector<GridWork> works = contest.probeWork({});
    ASSERT_EQ(works.size(), 4U);
    for (const GridWork& work : works)
        EXPECT_GT(work.ms, 0) << nameOf(work.grid);
    EXPECT_EQ(nameOf(works[0].grid), "single device");
    EXPECT_EQ(works[1].groups, 4) << "a ring goes by four heads";
    EXPECT_EQ(works[2].groups, 4) << "Ulysses by a quarter of a rank's eight";
    EXPECT_EQ(works[3].groups, 4) << "or of its four";
}

} // namespace
} // namespace maskscope
