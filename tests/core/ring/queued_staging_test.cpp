// SPDX-License-Identifier: GPL-3.0-or-later
// Why staging buffers are fixed: on a device that is fed by a queue, the host runs layers ahead,
// and a buffer that a queued transfer uses cannot be freed before the device gets there. Buffers
// taken for each call then add up with every queued layer. The variant that fails lives only here.
#include "core/ring/ring_pass.h"
#include "core/ring/ring_staging.h"

#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "core/memory/scope.h"
#include "core/ring/rank_team.h"
#include "core/ring/thread_ring.h"

#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace maskscope {
namespace {

constexpr int kRanks = 2;
constexpr std::int64_t kTokenBytes = 1024;
constexpr std::int64_t kTokens = 31; // uneven: 16 and 15
const RingPlan kPlan(kTokens, kRanks);
constexpr std::int64_t kPair = 16 * kTokenBytes; ///< keys and values of the larger share

/// Work done later, in order, on a thread of its own, as a device does: nothing is begun before
/// open(), and every piece of work takes its time.
class Stream {
public:
    void push(std::function<void()> work) { m_work.push_back(std::move(work)); }

    void open() {
        m_thread = std::jthread([this] {
            for (; !m_work.empty(); m_work.pop_front()) {
                std::this_thread::sleep_for(std::chrono::microseconds(20));
                m_work.front()();
            }
        });
    }
    void finish() { m_thread.join(); }

private:
    std::deque<std::function<void()>> m_work;
    std::jthread m_thread;
};

/// Exchanges that happen when the stream gets there.
class QueuedTransport final : public Transport {
public:
    QueuedTransport(Stream& stream, Transport& link)
        : m_stream(stream)
        , m_link(link) { }

private:
    Ticket begin(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        m_stream.push([this, out = std::vector(outgoing.begin(), outgoing.end()),
                          in = std::vector(incoming.begin(), incoming.end())] {
            m_begun.emplace(m_link, out, in);
        });
        return 0;
    }
    void finish(Ticket) override {
        m_stream.push([this] { m_begun->finish(); });
    }
    void abandon(Ticket) noexcept override { }

    Stream& m_stream;
    Transport& m_link;
    std::optional<Exchange> m_begun; ///< of the stream's thread
};

/// Where a layer's buffers come from.
using TakeBuffers = std::function<std::array<at::Tensor, 2>(int rank)>;

struct Outcome {
    std::int64_t stagedBytes = 0; ///< live when all layers were queued
    bool right = true; ///< every rank saw every chunk in every layer
};

Outcome queueLayers(int layers, const TakeBuffers& take) {
    const auto staged
        = [] { return cpuLedger().liveByCategory()[std::size_t(MemoryCategory::RingStaging)]; };
    const std::int64_t before = staged();
    const auto monitor = std::make_shared<JobMonitor>(kRanks);
    ThreadRing links(monitor);
    std::array<Stream, kRanks> streams;
    std::deque<QueuedTransport> transports; // outlive what is queued
    std::atomic<bool> right = true;
    for (int rank = 0; rank < kRanks; ++rank) {
        Stream& stream = streams[std::size_t(rank)];
        QueuedTransport& transport = transports.emplace_back(stream, links.seat(rank));
        for (int layer = 0; layer < layers; ++layer) {
            // Queued work holds what it uses, as a caching allocator does for its streams.
            const std::array<at::Tensor, 2> held = take(rank);
            const auto bytes = [&](std::size_t i) {
                return std::span(
                    static_cast<std::byte*>(held[i].mutable_data_ptr()), std::size_t(kPair));
            };
            const auto mark = [layer](int holder) { return std::byte(1 + 2 * layer + holder); };
            stream.push([held, rank, mark] {
                std::fill_n(static_cast<std::byte*>(held[0].mutable_data_ptr()), kPair, mark(rank));
            });
            ringPass(rank, kPlan, kTokenBytes, {bytes(0), bytes(1)}, transport,
                [&](int holder, std::span<const std::byte> chunk) {
                    stream.push([&right, chunk, mark, holder, held] {
                        right = right && std::all_of(chunk.begin(), chunk.end(), [&](std::byte b) {
                            return b == mark(holder);
                        });
                    });
                });
        }
    }
    Outcome outcome;
    outcome.stagedBytes = staged() - before;
    for (Stream& stream : streams)
        stream.open();
    for (Stream& stream : streams)
        stream.finish();
    outcome.right = right;
    return outcome;
}

Outcome withFixedBuffers(int layers) {
    std::array<RingStaging, kRanks> staging;
    return queueLayers(layers, [&](int rank) {
        RingStaging& own = staging[std::size_t(rank)];
        return std::array{
            own.buffer(StagingPlace::RingKv0, kPair), own.buffer(StagingPlace::RingKv1, kPair)};
    });
}

Outcome withBuffersPerCall(int layers) {
    return queueLayers(layers, [](int) {
        const MemoryScope scope(MemoryCategory::RingStaging);
        return std::array{at::empty({kPair}, at::kByte), at::empty({kPair}, at::kByte)};
    });
}

TEST(QueuedStaging, TakesTheSameForOneLayerAndForTwoHundred) {
    installCountingAllocator();
    for (const int layers : {1, 10, 200}) {
        const Outcome outcome = withFixedBuffers(layers);
        EXPECT_EQ(outcome.stagedBytes, kRanks * 2 * kPair) << layers << " layers";
        EXPECT_TRUE(outcome.right) << layers << " layers";
    }
}

TEST(QueuedStaging, WouldGrowWithEveryQueuedLayerIfTakenForEachCall) {
    installCountingAllocator();
    for (const int layers : {1, 10, 200}) {
        const Outcome outcome = withBuffersPerCall(layers);
        EXPECT_EQ(outcome.stagedBytes, layers * kRanks * 2 * kPair) << layers << " layers";
        EXPECT_TRUE(outcome.right) << layers << " layers";
    }
}

} // namespace
} // namespace maskscope
