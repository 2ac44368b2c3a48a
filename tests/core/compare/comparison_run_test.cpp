// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison_run.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "tests/core/compare/some_run.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

using test::SomeRun;

ComparisonPlan planOf(int configurations, int repeats) {
    ComparisonPlan plan{{}, repeats};
    for (int i = 0; i < configurations; ++i) {
        plan.configurations.push_back({});
        plan.configurations.back().title = std::string(1, char('a' + i));
    }
    return plan;
}

ComparisonSink silent() {
    return {[](std::size_t, int, double) {}, [](std::size_t, const Event&) {},
        [](std::size_t, const RunRecord&) {}};
}

TEST(ComparisonRun, LetsTheConfigurationsTakeTurns) {
    std::string order;
    std::vector<LogitRecord> kept;
    std::vector<double> fractions;
    ComparisonSink sink = silent();
    sink.onBegin = [&](std::size_t, int, double fraction) { fractions.push_back(fraction); };
    const auto compared = runComparison(planOf(2, 2),
        [&](const RunHeader& header, const EventSink&, const std::stop_token&) {
            order += header.title;
            kept.push_back(header.settings.logits);
            return SomeRun{}.record();
        },
        sink, {});
    EXPECT_EQ(order, "abab");
    EXPECT_EQ(kept,
        (std::vector{
            LogitRecord::Values, LogitRecord::Values, LogitRecord::Digests, LogitRecord::Digests}));
    EXPECT_EQ(fractions, (std::vector{0.0, 0.25, 0.5, 0.75}));
    ASSERT_EQ(compared.size(), 2U);
    EXPECT_EQ(compared[1].runs.size(), 2U);
}

TEST(ComparisonRun, HandsEventsOnWhileItRuns) {
    int events = 0;
    ComparisonSink sink = silent();
    sink.onEvent
        = [&](std::size_t configuration, const Event&) { events += 1 + int(configuration); };
    (void)runComparison(planOf(2, 1),
        [](const RunHeader&, const EventSink& onEvent, const std::stop_token&) {
            onEvent({1, 0, StageBegan{Stage::Vision}});
            return SomeRun{}.record();
        },
        sink, {});
    EXPECT_EQ(events, 3);
}

TEST(ComparisonRun, RefusesPlansThatCannotBeMeant) {
    const auto none = [](const RunHeader&, const EventSink&, const std::stop_token&) {
        return SomeRun{}.record();
    };
    EXPECT_THROW((void)runComparison(planOf(1, 1), none, silent(), {}), Failure);
    EXPECT_THROW((void)runComparison(planOf(5, 1), none, silent(), {}), Failure);
    EXPECT_THROW((void)runComparison(planOf(2, 0), none, silent(), {}), Failure);
}

TEST(ComparisonRun, StopsBetweenRuns) {
    std::stop_source stop;
    int runs = 0;
    const auto once = [&](const RunHeader&, const EventSink&, const std::stop_token&) {
        ++runs;
        stop.request_stop();
        return SomeRun{}.record();
    };
    EXPECT_THROW((void)runComparison(planOf(3, 1), once, silent(), stop.get_token()), Cancelled);
    EXPECT_EQ(runs, 1);
}

TEST(ComparisonRun, TakesMedians) {
    EXPECT_EQ(spreadOf({5}).median, 5);
    EXPECT_EQ(spreadOf({9, 1, 4}).median, 4);
    const Spread even = spreadOf({4, 1, 2, 9});
    EXPECT_EQ(even.median, 3);
    EXPECT_EQ(even.low, 1);
    EXPECT_EQ(even.high, 9);
}

} // namespace
} // namespace maskscope
