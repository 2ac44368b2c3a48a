// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace maskscope {
namespace {

using namespace std::chrono_literals;

/// Runs `work` under a sampler and returns everything it told.
template <class Work>
std::vector<MemorySample> samplesOf(MemoryLedger& ledger, Work work) {
    std::mutex mutex;
    std::vector<MemorySample> samples;
    {
        const MemorySampler sampler(ledger, [&](const MemorySample& sample) {
            const std::lock_guard lock(mutex);
            samples.push_back(sample);
        });
        work();
    }
    return samples;
}

TEST(MemorySampler, TellsOfAPeakBetweenTwoSamples) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(1000, MemoryCategory::Weights);
    const auto samples = samplesOf(*ledger, [&] {
        std::this_thread::sleep_for(10ms);
        ledger->charge(777, MemoryCategory::MaskDecoder);
        std::this_thread::sleep_for(5ms);
        ledger->release(777, MemoryCategory::MaskDecoder);
        std::this_thread::sleep_for(10ms);
    });
    const auto highest = std::max_element(samples.begin(), samples.end(),
        [](const MemorySample& a, const MemorySample& b) { return a.live < b.live; });
    EXPECT_EQ(highest->live, 1777);
    EXPECT_EQ(highest->byCategory[static_cast<std::size_t>(MemoryCategory::MaskDecoder)], 777);
    EXPECT_EQ(highest->device, "cpu");
    EXPECT_FALSE(highest->reserved);
    EXPECT_FALSE(highest->deviceUsed);
    EXPECT_EQ(samples.front().live, 1000);
    EXPECT_EQ(samples.back().live, 1000);
}

TEST(MemorySampler, TellsTheLastSamplesWhenStoppedAndWhatItsThreadTook) {
    const auto ledger = std::make_unique<MemoryLedger>();
    std::vector<MemorySample> samples;
    std::mutex mutex;
    MemorySampler sampler(*ledger, [&](const MemorySample& sample) {
        const std::lock_guard lock(mutex);
        samples.push_back(sample);
    });
    std::this_thread::sleep_for(120ms);
    ledger->charge(55, MemoryCategory::Other);
    const double ms = sampler.stop();
    EXPECT_EQ(samples.back().live, 55);
    EXPECT_GT(ms, 0);
    EXPECT_LT(ms, 100);
    ledger->release(55, MemoryCategory::Other);
}

TEST(MemorySampler, MeasuresTheProcessTwentyTimesASecondInOrderOfTime) {
    const auto ledger = std::make_unique<MemoryLedger>();
    const auto samples = samplesOf(*ledger, [&] {
        const auto end = std::chrono::steady_clock::now() + 500ms;
        while (std::chrono::steady_clock::now() < end) {
            ledger->charge(10, MemoryCategory::Other);
            std::this_thread::sleep_for(100us);
            ledger->release(10, MemoryCategory::Other);
        }
    });
    EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end(),
        [](const MemorySample& a, const MemorySample& b) { return a.tMs < b.tMs; }));
    const auto measured = std::count_if(samples.begin(), samples.end(),
        [](const MemorySample& sample) { return sample.process.has_value(); });
    EXPECT_GE(measured, 4);
    EXPECT_LE(measured, 13);
    EXPECT_TRUE(samples.front().process.has_value());
    EXPECT_TRUE(samples.back().process.has_value());
    EXPECT_LE(samples.size(), 2000U);
}

TEST(MemorySampler, WhatWasBeforeIsNotTold) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(1'000'000, MemoryCategory::Other);
    ledger->release(1'000'000, MemoryCategory::Other);
    std::this_thread::sleep_for(2ms);
    for (const MemorySample& sample : samplesOf(*ledger, [] {}))
        EXPECT_EQ(sample.live, 0);
}

} // namespace
} // namespace maskscope
