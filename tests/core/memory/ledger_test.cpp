// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/ledger.h"
#include "core/memory/scope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace maskscope {
namespace {

TEST(MemoryScope, InnermostWinsAndOtherThreadsStartOutside) {
    EXPECT_EQ(currentMemoryCategory(), MemoryCategory::Other);
    const MemoryScope outer(MemoryCategory::Vision);
    {
        const MemoryScope inner(MemoryCategory::KvCache);
        EXPECT_EQ(currentMemoryCategory(), MemoryCategory::KvCache);
        std::thread([captured = currentMemoryCategory()] {
            EXPECT_EQ(currentMemoryCategory(), MemoryCategory::Other);
            const MemoryScope handedOver(captured);
            EXPECT_EQ(currentMemoryCategory(), MemoryCategory::KvCache);
        }).join();
    }
    EXPECT_EQ(currentMemoryCategory(), MemoryCategory::Vision);
}

TEST(MemoryLedger, CountsLiveBytesInTotalAndByCategory) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(100, MemoryCategory::Weights);
    ledger->charge(0, MemoryCategory::Vision);
    ledger->charge(30, MemoryCategory::Vision);
    ledger->release(100, MemoryCategory::Weights);
    EXPECT_EQ(ledger->live(), 30);
    EXPECT_EQ(ledger->liveByCategory()[static_cast<std::size_t>(MemoryCategory::Vision)], 30);
    EXPECT_EQ(ledger->liveByCategory()[static_cast<std::size_t>(MemoryCategory::Weights)], 0);
}

TEST(MemoryLedger, RefusesBeyondTheLimitAndRemembersTheFirstRefusal) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(100, MemoryCategory::Weights);
    ledger->setLimit(150);
    EXPECT_EQ(ledger->charge(50, MemoryCategory::Other), Charge::Accepted);
    EXPECT_EQ(ledger->charge(1, MemoryCategory::Other), Charge::OverLimit);
    EXPECT_EQ(ledger->charge(1000, MemoryCategory::Other), Charge::OverLimit);
    EXPECT_EQ(ledger->live(), 150);
    const auto refusal = ledger->refusal();
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->asked, 1);
    EXPECT_EQ(refusal->live, 150);
    EXPECT_EQ(refusal->limit, 150);
    ledger->clearRefusal();
    EXPECT_FALSE(ledger->refusal());
    ledger->setLimit(std::nullopt);
    EXPECT_EQ(ledger->charge(1000, MemoryCategory::Other), Charge::Accepted);
    EXPECT_FALSE(ledger->limit());
}

TEST(MemoryLedger, RefusesSizesThatNoMachineHas) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(10, MemoryCategory::Other);
    EXPECT_EQ(ledger->charge(INT64_MAX, MemoryCategory::Other), Charge::OverLimit);
    ASSERT_TRUE(ledger->refusal());
    EXPECT_FALSE(ledger->refusal()->limit);
    EXPECT_EQ(ledger->live(), 10);
}

TEST(PeakWindow, NestsAndOverlaps) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(1000, MemoryCategory::Other);
    PeakWindow outer(*ledger);
    ledger->charge(500, MemoryCategory::Other);
    ledger->release(500, MemoryCategory::Other);
    auto first = std::make_unique<PeakWindow>(*ledger);
    ledger->charge(200, MemoryCategory::Other);
    PeakWindow second(*ledger);
    EXPECT_EQ(first->peak(), 1200);
    ledger->release(200, MemoryCategory::Other);
    first.reset();
    ledger->charge(100, MemoryCategory::Other);
    EXPECT_EQ(second.liveAtStart(), 1200);
    EXPECT_EQ(second.peak(), 1200);
    EXPECT_EQ(PeakWindow(*ledger).peak(), 1100);
    EXPECT_EQ(outer.liveAtStart(), 1000);
    EXPECT_EQ(outer.peak(), 1500);
}

/// Charges and releases random sizes, holding a few at a time.
void churn(MemoryLedger& ledger, unsigned seed, int rounds) {
    std::mt19937 random(seed);
    struct Held {
        std::int64_t bytes;
        MemoryCategory category;
    };
    std::vector<Held> held;
    const auto releaseLast = [&] {
        ledger.release(held.back().bytes, held.back().category);
        held.pop_back();
    };
    for (int i = 0; i < rounds; ++i) {
        held.push_back({static_cast<std::int64_t>(random() % 1'000'000),
            static_cast<MemoryCategory>(random() % kMemoryCategories)});
        ledger.charge(held.back().bytes, held.back().category);
        while (held.size() > random() % 8)
            releaseLast();
    }
    while (!held.empty())
        releaseLast();
}

TEST(MemoryLedger, PeakAndCurveAgreeToTheByteUnderFourThreads) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(12'345, MemoryCategory::Weights);
    PeakWindow window(*ledger);
    std::int64_t drawn = 0;
    const auto read = [&](std::chrono::steady_clock::time_point now) {
        for (const CurvePoint& point : ledger->curve().take(now)) {
            drawn = std::max(drawn, point.live);
            EXPECT_EQ(
                std::accumulate(point.byCategory.begin(), point.byCategory.end(), std::int64_t{0}),
                point.live);
            for (const std::int64_t bytes : point.byCategory)
                EXPECT_GE(bytes, 0);
        }
    };
    {
        std::vector<std::jthread> threads;
        for (unsigned seed = 1; seed <= 4; ++seed)
            threads.emplace_back([&, seed] { churn(*ledger, seed, 50'000); });
        for (int i = 0; i < 20; ++i) {
            read(std::chrono::steady_clock::now());
            PeakWindow inner(*ledger); // folding must lose no peak of the outer window
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    read(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    EXPECT_EQ(ledger->live(), 12'345);
    EXPECT_EQ(drawn, window.peak());
    EXPECT_GT(drawn, 1'000'000);
}

TEST(MemoryLedger, NeverExceedsTheLimitUnderFourThreads) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->setLimit(1'000'000);
    PeakWindow window(*ledger);
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 20'000; ++i)
                    if (ledger->charge(400'000, MemoryCategory::Other) == Charge::Accepted)
                        ledger->release(400'000, MemoryCategory::Other);
            });
    }
    EXPECT_LE(window.peak(), 1'000'000);
    EXPECT_EQ(ledger->live(), 0);
}

} // namespace
} // namespace maskscope
