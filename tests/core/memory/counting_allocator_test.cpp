// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/counting_allocator.h"

#include "core/memory/budget.h"
#include "core/memory/ledger.h"
#include "core/memory/scope.h"

#include <gtest/gtest.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <cstring>
#include <thread>
#include <vector>

namespace maskscope {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

struct CountingAllocatorTest : testing::Test {
    static void SetUpTestSuite() { installCountingAllocator(); }

    MemoryLedger& ledger = cpuLedger();
    std::int64_t start = ledger.live();

    std::int64_t in(MemoryCategory category) const {
        return ledger.liveByCategory()[static_cast<std::size_t>(category)];
    }
};

TEST_F(CountingAllocatorTest, CountsATensorToTheByteUntilItsLastViewIsGone) {
    auto view = at::empty({1000, 3}).select(1, 2);
    EXPECT_EQ(ledger.live() - start, 12'000);
    EXPECT_EQ(view.numel(), 1000);
    view.reset();
    EXPECT_EQ(ledger.live(), start);
}

TEST_F(CountingAllocatorTest, ChargesToTheScopeOfTheAllocationWhereverItIsFreed) {
    const std::int64_t before = in(MemoryCategory::KvCache);
    at::Tensor tensor;
    {
        const MemoryScope scope(MemoryCategory::KvCache);
        tensor = at::zeros({kMiB}, at::kByte);
    }
    EXPECT_EQ(in(MemoryCategory::KvCache)-before, kMiB);
    const MemoryScope other(MemoryCategory::Vision);
    std::thread([moved = std::move(tensor)]() mutable { moved.reset(); }).join();
    EXPECT_EQ(in(MemoryCategory::KvCache), before);
    EXPECT_EQ(ledger.live(), start);
}

TEST_F(CountingAllocatorTest, ChargesTheAccountOfTheAllocationBesideWhereverItIsFreed) {
    MemoryLedger& first = rankLedger(0);
    MemoryLedger& second = rankLedger(1);
    ASSERT_NE(&first, &second);
    PeakWindow peak(first);
    at::Tensor tensor;
    {
        const AccountScope scope(first);
        tensor = at::zeros({kMiB}, at::kByte);
        const AccountScope inner(second);
        const auto other = at::zeros({3 * kMiB}, at::kByte);
        EXPECT_EQ(second.live(), 3 * kMiB);
        EXPECT_EQ(ledger.live() - start, 4 * kMiB);
    }
    const auto outside = at::zeros({2 * kMiB}, at::kByte);
    EXPECT_EQ(second.live(), 0);
    EXPECT_EQ(first.live(), kMiB);
    std::thread([moved = std::move(tensor)]() mutable { moved.reset(); }).join();
    EXPECT_EQ(first.live(), 0);
    EXPECT_EQ(peak.peak() - peak.liveAtStart(), kMiB);
}

TEST_F(CountingAllocatorTest, CountsResizedStorageOnce) {
    auto tensor = at::empty({0}, at::kByte);
    EXPECT_EQ(ledger.live(), start);
    tensor.resize_({100});
    tensor.resize_({kMiB});
    EXPECT_EQ(ledger.live() - start, kMiB);
}

TEST_F(CountingAllocatorTest, DoesNotCountBorrowedMemory) {
    std::vector<float> data(1000);
    const auto tensor = at::from_blob(data.data(), {1000});
    EXPECT_EQ(ledger.live(), start);
    EXPECT_EQ(tensor.clone().numel(), 1000);
}

// oneDNN and others take memory this way; it asserts that the context is the data pointer.
TEST_F(CountingAllocatorTest, AllocatesRawAndClones) {
    c10::Allocator& allocator = *c10::GetCPUAllocator();
    void* raw = allocator.raw_allocate(64);
    std::memset(raw, 7, 64);
    const c10::DataPtr clone = allocator.clone(raw, 64);
    EXPECT_EQ(ledger.live() - start, 128);
    allocator.raw_deallocate(raw);
    EXPECT_EQ(static_cast<const char*>(clone.get())[63], 7);
    EXPECT_EQ(ledger.live() - start, 64);
    EXPECT_TRUE(allocator.is_simple_data_ptr(clone));
    EXPECT_EQ(allocator.raw_allocate(0), nullptr);
    allocator.raw_deallocate(nullptr);
}

TEST_F(CountingAllocatorTest, InstallingTwiceCountsOnce) {
    installCountingAllocator();
    const auto tensor = at::empty({10}, at::kByte);
    EXPECT_EQ(ledger.live() - start, 10);
}

TEST_F(CountingAllocatorTest, BeyondTheLimitThrowsAsLibTorchDoesAndCountsNothing) {
    const MemoryBudget budget(ledger, start + kMiB);
    const auto fits = at::empty({kMiB}, at::kByte);
    EXPECT_THROW(at::empty({1}, at::kByte), c10::OutOfMemoryError);
    EXPECT_EQ(ledger.live() - start, kMiB);
    EXPECT_THROW(budget.check(), Failure);
}

TEST_F(CountingAllocatorTest, ManyThreadsLeaveNothingBehind) {
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([t] {
                const MemoryScope scope(static_cast<MemoryCategory>(t));
                std::vector<at::Tensor> held(16);
                for (int i = 0; i < 5000; ++i)
                    held[static_cast<std::size_t>(i % 16)] = at::empty({i % 999}, at::kByte);
            });
    }
    EXPECT_EQ(ledger.live(), start);
    std::int64_t sum = 0;
    for (const std::int64_t bytes : ledger.liveByCategory())
        sum += bytes;
    EXPECT_EQ(sum, start);
}

} // namespace
} // namespace maskscope
