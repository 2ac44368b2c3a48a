// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>

namespace maskscope {
namespace {

using namespace std::chrono_literals;
using Time = std::chrono::steady_clock::time_point;

constexpr Time kStart{1000s};

/// Feeds events with times of its own.
struct Feed {
    std::unique_ptr<AllocationCurve> curve = std::make_unique<AllocationCurve>();
    std::uint32_t ticket = 0;

    void operator()(std::chrono::microseconds at, std::int64_t delta,
        MemoryCategory category = MemoryCategory::Other) {
        curve->record(ticket, delta, category, kStart + at);
        ticket = (ticket + 1) & AllocationCurve::kTicketMask;
    }
};

std::int64_t sum(const BytesByCategory& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

std::int64_t highest(const std::vector<CurvePoint>& points) {
    std::int64_t most = 0;
    for (const CurvePoint& point : points)
        most = std::max(most, point.live);
    return most;
}

TEST(AllocationCurve, DrawsAShortPeakAtItsHeightAndComesBackDown) {
    Feed feed;
    feed(0us, 1000, MemoryCategory::Weights);
    feed(10'000us, 777'777, MemoryCategory::MaskDecoder);
    feed(15'000us, -777'777, MemoryCategory::MaskDecoder);
    const auto points = feed.curve->take(kStart + 20ms);

    const std::vector<std::pair<std::chrono::milliseconds, std::int64_t>> expected{
        {0ms, 1000}, {1ms, 1000}, {10ms, 778'777}, {11ms, 778'777}, {15ms, 778'777}, {16ms, 1000}};
    ASSERT_EQ(points.size(), expected.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(points[i].time, kStart + expected[i].first) << i;
        EXPECT_EQ(points[i].live, expected[i].second) << i;
        EXPECT_EQ(sum(points[i].byCategory), points[i].live) << i;
    }
    EXPECT_EQ(points[2].byCategory[static_cast<std::size_t>(MemoryCategory::MaskDecoder)], 777'777);
}

TEST(AllocationCurve, KeepsThePeakOfOneMillisecondWithItsCategories) {
    Feed feed;
    feed(100us, 100, MemoryCategory::Weights);
    feed(200us, 900, MemoryCategory::Language);
    feed(300us, -900, MemoryCategory::Language);
    feed(400us, 50, MemoryCategory::Vision);
    const auto points = feed.curve->take(kStart + 1ms);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0].live, 1000);
    EXPECT_EQ(points[0].byCategory[static_cast<std::size_t>(MemoryCategory::Language)], 900);
    EXPECT_EQ(points[1].live, 150);
}

TEST(AllocationCurve, HoldsBackTheMillisecondThatIsNotOver) {
    Feed feed;
    feed(100us, 5);
    EXPECT_TRUE(feed.curve->take(kStart + 900us).empty());
    EXPECT_EQ(feed.curve->level(kStart + 900us).live, 5);
    feed(950us, 7);
    EXPECT_EQ(highest(feed.curve->take(kStart + 1ms)), 12);
    EXPECT_TRUE(feed.curve->take(kStart + 5ms).empty());
}

TEST(AllocationCurve, NeverStepsBackInTime) {
    Feed feed;
    feed(5'000us, 1);
    auto points = feed.curve->take(kStart + 8ms);
    feed(4'000us, 1); // read its clock, was counted, and slept
    feed(9'000us, 1);
    for (const CurvePoint& point : feed.curve->take(kStart + 20ms))
        points.push_back(point);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
        [](const CurvePoint& a, const CurvePoint& b) { return a.time < b.time; }));
    EXPECT_EQ(highest(points), 3);
}

TEST(AllocationCurve, LosesNothingWhenNobodyReads) {
    Feed feed;
    std::int64_t live = 0;
    std::int64_t most = 0;
    // Three turns of the tickets, 25 minutes of milliseconds, one single peak in the middle.
    for (int i = 0; i < 3 * (1 << AllocationCurve::kTicketBits) / 2; ++i) {
        const std::int64_t size = i == 1'234'567 ? 5'000'000'000 : 1000 + i % 17;
        live += size;
        most = std::max(most, live);
        feed(std::chrono::microseconds(i * 1000LL), size);
        feed(std::chrono::microseconds(i * 1000LL + 500), i % 2 ? -size : -size + 1);
        live -= i % 2 ? size : size - 1;
    }
    const auto points = feed.curve->take(kStart + 24h);
    EXPECT_EQ(highest(points), most);
    EXPECT_EQ(points.back().live, live);
    EXPECT_LE(points.size(), 8192U);
}

} // namespace
} // namespace maskscope
