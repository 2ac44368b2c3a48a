// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/recorder.h"

#include "tests/core/memory/touch_pages.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace maskscope {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

struct StageRecorderTest : testing::Test {
    std::unique_ptr<MemoryLedger> ledger = std::make_unique<MemoryLedger>();

    void peakOf(std::int64_t bytes) const {
        ledger->charge(bytes, MemoryCategory::Other);
        ledger->release(bytes, MemoryCategory::Other);
    }
};

TEST_F(StageRecorderTest, ExtraPeakIsAboveTheStartAndOverLoadedAboveTheLoadedState) {
    StageRecorder recorder(*ledger, HighWater::Ignored);
    ledger->charge(1000, MemoryCategory::Weights);
    recorder.markLoaded();
    ledger->charge(50, MemoryCategory::KvCache);
    StageScope stage(recorder);
    peakOf(300);
    ledger->charge(20, MemoryCategory::Other);
    const StageMemory memory = stage.end();
    EXPECT_EQ(memory.liveAtStart, 1050);
    EXPECT_EQ(memory.liveAtEnd, 1070);
    EXPECT_EQ(memory.peak, 1350);
    EXPECT_EQ(memory.extraPeak(), 300);
    EXPECT_EQ(memory.overLoaded, 350);
    EXPECT_FALSE(memory.highWaterGrowth);
    EXPECT_GE(memory.ms, 0);
}

TEST_F(StageRecorderTest, AParentsPeakIncludesItsChildrens) {
    StageRecorder recorder(*ledger, HighWater::Ignored);
    StageScope decode(recorder);
    peakOf(100);
    StageScope mask(recorder);
    peakOf(700);
    EXPECT_EQ(mask.end().extraPeak(), 700);
    StageScope second(recorder);
    peakOf(30);
    EXPECT_EQ(second.end().extraPeak(), 30);
    const StageMemory memory = decode.end();
    EXPECT_EQ(memory.extraPeak(), 700);
    EXPECT_FALSE(memory.overLoaded);
}

TEST_F(StageRecorderTest, AStageThatFailsIsClosed) {
    StageRecorder recorder(*ledger, HighWater::Measured);
    StageScope outer(recorder);
    try {
        StageScope inner(recorder);
        peakOf(40);
        throw std::runtime_error("inside");
    } catch (const std::runtime_error&) { }
    EXPECT_EQ(outer.end().peak, 40);
}

TEST_F(StageRecorderTest, HighWaterGrowthSurvivesTheInnerStagesReset) {
    StageRecorder recorder(*ledger, HighWater::Measured);
    StageScope outer(recorder);
    test::touchPages(192 * kMiB); // before the inner stage resets the mark
    StageScope inner(recorder);
    test::touchPages(64 * kMiB);
    const auto innerGrowth = inner.end().highWaterGrowth;
    const auto outerGrowth = outer.end().highWaterGrowth;
    ASSERT_EQ(innerGrowth.has_value(), resetHighWater());
    ASSERT_EQ(outerGrowth.has_value(), innerGrowth.has_value());
    if (innerGrowth) {
        EXPECT_GE(*innerGrowth, 60 * kMiB);
        EXPECT_LT(*innerGrowth, 100 * kMiB);
        EXPECT_GE(*outerGrowth, 180 * kMiB);
        EXPECT_LT(*outerGrowth, 230 * kMiB);
    }
}

} // namespace
} // namespace maskscope
