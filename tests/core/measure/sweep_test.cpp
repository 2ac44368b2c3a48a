// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep.h"

#include "core/base/cancelled.h"

#include <gtest/gtest.h>

#include <string>

namespace maskscope {
namespace {

LayerFigures figuresOf(std::int64_t bytes) {
    LayerFigures figures;
    figures.extraPeakBytes = bytes;
    return figures;
}

/// mha takes 128 P^2, and nothing above 2,000 patches fits; the others take 6,144 P.
LayerFigures measured(const LayerPoint& point, const std::stop_token& /*stop*/) {
    const std::int64_t P = point.shape.patches;
    if (point.shape.path == LayerPath::Mha && P > 2000)
        throw Failure(ErrorKind::Memory, "Too large.");
    return figuresOf(point.shape.path == LayerPath::Mha ? 128 * P * P : 6144 * P);
}

struct Told {
    std::vector<std::int64_t> begun;
    std::vector<SweepPoint> points;
    std::vector<SweepEnd> ends;

    SweepSink sink() {
        return {[this](LayerPath, std::int64_t patches, double) { begun.push_back(patches); },
            [this](const SweepPoint& point) { points.push_back(point); },
            [this](const SweepEnd& end) { ends.push_back(end); }};
    }
};

const SweepPlan kPlan{{LayerPath::Mha, LayerPath::Sdpa}, {4000, 500, 1000, 2000, 3000, 500}, {}};

} // namespace

TEST(Sweep, EndsAPathWhereMemoryEndsAndGoesOnWithTheNext) {
    Told told;
    const auto points = runSweep(kPlan, measured, told.sink(), {});
    EXPECT_EQ(told.begun,
        (std::vector<std::int64_t>{500, 1000, 2000, 3000, 500, 1000, 2000, 3000, 4000}));
    EXPECT_EQ(points.size(), 8U);
    EXPECT_EQ(told.points.size(), 8U);
    ASSERT_EQ(told.ends.size(), 1U);
    EXPECT_EQ(told.ends[0].path, LayerPath::Mha);
    EXPECT_EQ(told.ends[0].patches, 3000);
    EXPECT_EQ(told.ends[0].error.sentence, "Too large. Left out of mha: 4000.");
}

TEST(Sweep, FitsEachPathAndDescribesItByItsLaw) {
    Told told;
    SweepPlan plan = kPlan;
    plan.patches.push_back(1500); // below where mha ends
    const auto fits = fitsOf(runSweep(plan, measured, told.sink(), {}));
    ASSERT_EQ(fits.size(), 4U);
    const Fit* native = describingFit(fits, LayerPath::Mha);
    ASSERT_TRUE(native);
    EXPECT_EQ(native->degree(), 2);
    EXPECT_NEAR(native->coefficients[2], 128, 1e-6);
    const Fit* lean = describingFit(fits, LayerPath::Sdpa);
    ASSERT_TRUE(lean);
    EXPECT_EQ(lean->degree(), 1);
    EXPECT_NEAR(lean->slopePer1024(), 6144 * 1024.0, 1e-3);
    EXPECT_FALSE(describingFit(fits, LayerPath::Flash));
}

TEST(Sweep, FitsNothingThroughAsManySizesAsCoefficients) {
    std::vector<SweepPoint> points{{LayerPath::Mha, 1000, figuresOf(128'000'000)},
        {LayerPath::Mha, 2000, figuresOf(512'000'000)},
        {LayerPath::Mha, 2000, figuresOf(512'000'000)}};
    EXPECT_TRUE(fitsOf(points).empty());
    points.push_back({LayerPath::Mha, 3000, figuresOf(1'152'000'000)});
    ASSERT_EQ(fitsOf(points).size(), 1U);
    EXPECT_EQ(fitsOf(points)[0].fit.degree(), 1);
    EXPECT_FALSE(describingFit(fitsOf(points), LayerPath::Mha)) << "a line says nothing of it";
}

TEST(Sweep, PredictsFromShapesAndFromTheLawWhereThereIsOne) {
    Told told;
    SweepRecord record;
    record.plan = kPlan;
    record.plan.point.threads = 2;
    record.points = runSweep(kPlan, measured, told.sink(), {});
    const auto predictions = predictionsOf(record, {8000});
    ASSERT_EQ(predictions.size(), 2U);
    EXPECT_EQ(predictions[0].path, LayerPath::Mha);
    EXPECT_FALSE(predictions[0].fittedBytes) << "three sizes were measured";
    EXPECT_GT(predictions[0].predictedBytes, 128LL * 8000 * 8000);
    EXPECT_NEAR(double(predictions[1].fittedBytes.value_or(0)), 6144.0 * 8000, 2);
    record.points.clear();
    EXPECT_EQ(predictionsOf(record, {8000}).size(), 2U) << "shapes need no points";
}

TEST(Sweep, RefusesWhatCannotBeBeforeAnythingIsMeasured) {
    Told told;
    SweepPlan plan = kPlan;
    plan.paths.push_back(LayerPath::Ring);
    plan.point.shape.ringDevices = {"cuda:0"};
    EXPECT_THROW(runSweep(plan, measured, told.sink(), {}), Failure);
    EXPECT_THROW(runSweep({{}, {512}, {}}, measured, told.sink(), {}), Failure);
    EXPECT_TRUE(told.begun.empty());
}

TEST(Sweep, StopsBetweenPoints) {
    Told told;
    std::stop_source stop;
    const auto measure = [&](const LayerPoint& point, const std::stop_token& token) {
        if (point.shape.patches == 1000)
            stop.request_stop();
        return measured(point, token);
    };
    EXPECT_THROW(runSweep(kPlan, measure, told.sink(), stop.get_token()), Cancelled);
    EXPECT_EQ(told.points.size(), 2U);
}

TEST(Sweep, OutlivesAProcessThatDies) {
    Told told;
    const auto dying = [](const LayerPoint& point, const std::stop_token& stop) {
        if (point.shape.path == LayerPath::Mha)
            throw Failure(ErrorKind::Internal, "Its process was ended by signal 11.");
        return measured(point, stop);
    };
    EXPECT_EQ(runSweep(kPlan, dying, told.sink(), {}).size(), 5U);
    ASSERT_EQ(told.ends.size(), 1U);
    EXPECT_EQ(told.ends[0].error.kind, ErrorKind::Internal);
}

TEST(Sweep, DoesNotHideOtherErrors) {
    Told told;
    const auto broken = [](const LayerPoint&, const std::stop_token&) -> LayerFigures {
        throw Failure(ErrorKind::Device, "Broken.");
    };
    EXPECT_THROW(runSweep(kPlan, broken, told.sink(), {}), Failure);
}

} // namespace maskscope
