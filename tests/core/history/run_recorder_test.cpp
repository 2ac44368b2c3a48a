// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_recorder.h"

#include "tests/core/history/some_run.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

namespace maskscope {
namespace {

using test::sampleAt;

RunRecord recorded(const RunRecord& run) {
    RunRecorder recorder(run.header);
    for (const Event& event : run.events)
        recorder(event);
    return recorder.take();
}

} // namespace

TEST(RunRecorder, KeepsAShortRunAsItWas) {
    const RunRecord run = test::finishedRun();
    EXPECT_EQ(linesOf(recorded(run)), linesOf(run));
}

TEST(RunRecorder, LeavesOutWhatHasNoLine) {
    RunRecord run = test::finishedRun();
    run.events.insert(run.events.begin(), {1, 0, StageProgress{Stage::Decode, 0.5}});
    EXPECT_EQ(recorded(run).events.size(), run.events.size() - 1);
}

TEST(RunRecorder, ThinsALongCurveWithoutLosingItsPeaks) {
    constexpr int kMeasured = 330'000;
    constexpr std::int64_t kPeak = 1 << 30, kProcessPeak = 9 << 20;
    RunRecorder recorder({});
    recorder({3, 0, StageBegan{Stage::Decode}});
    for (int i = 0; i < kMeasured; ++i) {
        MemorySample sample = sampleAt(i, i == 77'777 || i == 300'001 ? kPeak + i : 1000 + i % 7);
        if (i % 50 == 0)
            sample.process = i == 200'000 ? kProcessPeak : 1 << 20;
        recorder({3, double(i), MemoryMeasured{sample}});
        if (i == 200'000)
            recorder({3, double(i), TokenProduced{4, "cat", 0, false}});
    }
    recorder({3, kMeasured, StageEnded{Stage::Decode, kMeasured, kPeak, 1000}});
    const RunRecord run = recorder.take();
    const auto samples = memoryOf(run);
    EXPECT_LE(samples.size(), RunRecorder::kMostSamples);
    EXPECT_GT(samples.size(), RunRecorder::kMostSamples / 2 - 2);
    EXPECT_EQ(samples.front().live, 1000);
    EXPECT_EQ(extraPeakOf(run), kPeak + 300'001 - 1000);
    std::vector<double> peaks;
    std::int64_t process = 0;
    double widest = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (samples[i].live > kPeak)
            peaks.push_back(samples[i].tMs);
        process = std::max(process, samples[i].process.value_or(0));
        if (i > 0)
            widest = std::max(widest, samples[i].tMs - samples[i - 1].tMs);
    }
    EXPECT_EQ(peaks, (std::vector<double>{77'777, 300'001}));
    EXPECT_EQ(process, kProcessPeak);
    EXPECT_LT(widest, 2 * 32); // everywhere as fine: 32 measured samples stand behind one
    // Events keep their place among the samples.
    ASSERT_TRUE(std::holds_alternative<StageBegan>(run.events.front().payload));
    ASSERT_TRUE(std::holds_alternative<StageEnded>(run.events.back().payload));
    for (std::size_t i = 1; i + 1 < run.events.size(); ++i)
        if (std::holds_alternative<TokenProduced>(run.events[i].payload)) {
            EXPECT_LE(run.events[i - 1].tMs, 200'000);
            EXPECT_GT(run.events[i + 1].tMs, 200'000);
        }
}

TEST(RunRecorder, KeepsEachRanksPeak) {
    RunRecorder recorder({});
    for (int i = 0; i < 50'000; ++i)
        for (const int rank : {0, 1})
            recorder({3, double(i),
                RankMeasured{{double(i), rank, i == 33'333 ? 900 + rank : i % 5, i % 2}}});
    const auto ranks = rankMemoryOf(recorder.take());
    ASSERT_EQ(ranks.size(), 2U);
    for (const auto& [rank, samples] : ranks) {
        EXPECT_LE(samples.size(), RunRecorder::kMostSamples);
        const auto peak = std::ranges::max_element(samples, {}, &RankSample::live);
        EXPECT_EQ(peak->live, 900 + rank);
        EXPECT_EQ(peak->tMs, 33'333);
    }
}

TEST(RunRecorder, HearsTwoThreads) {
    constexpr int kEach = 20'000;
    RunRecorder recorder({});
    const std::function<void(const Event&)> sink = std::ref(recorder);
    {
        const std::jthread sampler([&] {
            for (int i = 0; i < kEach; ++i)
                sink({1, double(i), MemoryMeasured{sampleAt(i, i)}});
        });
        for (int i = 0; i < kEach; ++i)
            sink({1, double(i), TokenProduced{i, "a", i, false}});
    }
    const RunRecord run = recorder.take();
    EXPECT_EQ(run.events.size(), 2 * kEach);
    EXPECT_EQ(tokenTimesOf(run).size(), kEach);
    EXPECT_TRUE(recorder.take().events.empty());
}

} // namespace maskscope
