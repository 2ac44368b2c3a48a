// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/rank_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace maskscope {
namespace {

using namespace std::chrono_literals;

TEST(RankSampler, TellsOfEachRankWhatItHasAboveThatOfBefore) {
    const auto first = std::make_unique<MemoryLedger>(), second = std::make_unique<MemoryLedger>();
    first->charge(1'000'000, MemoryCategory::MaskDecoder);
    std::map<int, std::vector<RankSample>> told; // the sampler's thread has ended before it is read
    RankSampler sampler(
        {{0, *first}, {3, *second}},
        [&](const RankSample& sample) { told[sample.rank].push_back(sample); },
        std::chrono::steady_clock::now());
    std::this_thread::sleep_for(5ms);
    first->charge(300, MemoryCategory::RingStaging);
    first->charge(477, MemoryCategory::MaskDecoder);
    std::this_thread::sleep_for(5ms);
    first->release(477, MemoryCategory::MaskDecoder);
    std::this_thread::sleep_for(5ms);
    second->charge(55, MemoryCategory::RingStaging);
    EXPECT_GE(sampler.stop(), 0);

    ASSERT_EQ(told.size(), 2U);
    const auto byLive = [](const RankSample& a, const RankSample& b) { return a.live < b.live; };
    const auto peak = std::ranges::max_element(told[0], byLive);
    EXPECT_EQ(peak->live, 777);
    EXPECT_EQ(peak->staging, 300);
    EXPECT_EQ(told[0].front().live, 0);
    EXPECT_EQ(told[0].back().live, 300);
    EXPECT_EQ(told[3].front().live, 0);
    EXPECT_EQ(told[3].back().live, 55);
    EXPECT_EQ(told[3].back().staging, 55);
    EXPECT_EQ(told[3].size(), 2U) << "nothing is told while nothing changes";
    for (const auto& [rank, samples] : told)
        EXPECT_TRUE(std::ranges::is_sorted(samples, {}, &RankSample::tMs));
    first->release(1'000'300, MemoryCategory::MaskDecoder);
}

TEST(RankSampler, StopsWhenItIsDestroyed) {
    const auto account = std::make_unique<MemoryLedger>();
    std::vector<RankSample> told;
    {
        const RankSampler sampler(
            {{1, *account}}, [&](const RankSample& sample) { told.push_back(sample); },
            std::chrono::steady_clock::now());
        std::this_thread::sleep_for(3ms);
        account->charge(9, MemoryCategory::Other);
    }
    EXPECT_EQ(told.back().live, 9);
    account->charge(9, MemoryCategory::Other);
    EXPECT_EQ(told.back().live, 9);
}

} // namespace
} // namespace maskscope
