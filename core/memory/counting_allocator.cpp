// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/counting_allocator.h"

#include "core/base/bytes.h"
#include "core/memory/ledger.h"
#include "core/memory/scope.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>

namespace maskscope {

namespace {

struct Block {
    std::int64_t bytes = 0;
    MemoryCategory category = MemoryCategory::Other;
    MemoryLedger* account = nullptr; ///< charged beside the ledger, or null
};

/// What each live block was charged. Beside the blocks and not in front of them: LibTorch and
/// oneDNN take it that a block's context is its data pointer.
class BlockTable {
public:
    void insert(const void* data, Block block) {
        Shard& shard = shardOf(data);
        const std::lock_guard lock(shard.mutex);
        shard.blocks.insert_or_assign(data, block);
    }

    Block remove(const void* data) {
        Shard& shard = shardOf(data);
        const std::lock_guard lock(shard.mutex);
        const auto found = shard.blocks.find(data);
        if (found == shard.blocks.end())
            return {};
        const Block block = found->second;
        shard.blocks.erase(found);
        return block;
    }

private:
    struct alignas(64) Shard {
        std::mutex mutex;
        std::unordered_map<const void*, Block> blocks;
    };

    Shard& shardOf(const void* data) {
        // Blocks are aligned to 64 bytes, large ones to pages: mix the bits above.
        const auto address = reinterpret_cast<std::uintptr_t>(data);
        return m_shards[(address * 0x9E3779B97F4A7C15ULL) >> 58];
    }

    std::array<Shard, 64> m_shards;
};

std::atomic<AllocationObserver*> g_observer = nullptr;
std::mutex g_observed; ///< held during each change of the ledger while somebody observes

class CountingAllocator final : public c10::Allocator {
public:
    /// Wraps the allocator that is set now. Never destroyed, since tensors with static storage may
    /// outlive everything else.
    static CountingAllocator& instance() {
        static CountingAllocator& allocator = *new CountingAllocator(*c10::GetCPUAllocator());
        return allocator;
    }

    c10::DataPtr allocate(std::size_t size) override {
        if (size == 0)
            return {nullptr, nullptr, &CountingAllocator::free, c10::DeviceType::CPU};
        constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
        const Block block{static_cast<std::int64_t>(std::min(size, kMost)), currentMemoryCategory(),
            currentMemoryAccount()};
        void* data = nullptr;
        if (!g_observer.load(std::memory_order_relaxed)) {
            data = take(size, block);
        } else {
            const std::lock_guard lock(g_observed);
            data = take(size, block);
            if (AllocationObserver* observer = g_observer.load())
                observer->allocated(data, block.bytes, block.category);
        }
        return {data, data, &CountingAllocator::free, c10::DeviceType::CPU};
    }

    c10::DeleterFnPtr raw_deleter() const override { return &CountingAllocator::free; }

    void copy_data(void* to, const void* from, std::size_t bytes) const override {
        default_copy_data(to, from, bytes);
    }

private:
    explicit CountingAllocator(c10::Allocator& base)
        : m_base(base)
        , m_ledger(cpuLedger()) { }

    void* take(std::size_t size, const Block& block) {
        if (m_ledger.charge(block.bytes, block.category) == Charge::OverLimit)
            refuse(block.bytes);
        if (block.account)
            block.account->charge(block.bytes, block.category);
        void* data = nullptr;
        try {
            data = m_base.raw_allocate(size);
            m_blocks.insert(data, block);
        } catch (...) {
            release(block);
            m_ledger.noteSystemRefusal(block.bytes);
            if (data)
                m_base.raw_deallocate(data);
            throw;
        }
        return data;
    }

    void release(const Block& block) {
        m_ledger.release(block.bytes, block.category);
        if (block.account)
            block.account->release(block.bytes, block.category);
    }

    void give(void* data, AllocationObserver* observer) {
        const Block block = m_blocks.remove(data);
        m_base.raw_deallocate(data);
        release(block);
        if (observer)
            observer->released(data, block.bytes, block.category);
    }

    static void free(void* data) {
        if (!data)
            return;
        CountingAllocator& self = instance();
        if (!g_observer.load(std::memory_order_relaxed)) {
            self.give(data, nullptr);
            return;
        }
        const std::lock_guard lock(g_observed);
        self.give(data, g_observer.load());
    }

    [[noreturn]] static void refuse(std::int64_t bytes) {
        throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__},
            "can't allocate memory: " + bytesText(bytes) + " beyond the limit");
    }

    c10::Allocator& m_base;
    MemoryLedger& m_ledger;
    BlockTable m_blocks;
};

} // namespace

void installCountingAllocator() {
    // The highest priority: nothing that is loaded later takes the place.
    constexpr std::uint8_t kPriority = std::numeric_limits<std::uint8_t>::max();
    static const bool installed
        = (c10::SetCPUAllocator(&CountingAllocator::instance(), kPriority), true);
    static_cast<void>(installed);
}

void observeAllocations(AllocationObserver* observer) {
    const std::lock_guard lock(g_observed);
    g_observer.store(observer);
}

} // namespace maskscope
