// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/grid_attention.h"

#include "core/attention/attention_peak.h"
#include "core/attention/patch_attention.h"
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "core/ring/process_ranks.h"
#include "core/ring/thread_ranks.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <limits>
#include <optional>
#include <thread>

namespace maskscope {
namespace {

constexpr std::array kGrids{RankGrid{1, 1}, RankGrid{2, 1}, RankGrid{1, 2}, RankGrid{4, 1},
    RankGrid{2, 2}, RankGrid{1, 4}, RankGrid{4, 2}, RankGrid{2, 4}, RankGrid{8, 1}};

std::string textOf(const RankGrid& grid) {
    return std::to_string(grid.ulysses) + " x " + std::to_string(grid.ring);
}

RingSettings settingsOf(const RankGrid& grid) {
    RingSettings settings;
    settings.devices.assign(static_cast<std::size_t>(grid.ranks()), "cpu");
    settings.threads = grid.ranks();
    settings.patience.silence = std::chrono::minutes(1); // a busy machine is no failure
    settings.ulysses = grid.ulysses;
    return settings;
}

/// Whole attention from parts of it: q, k, v [1, H, P, D] to [P, H, D].
at::Tensor gridOver(Ring& ring, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    const RingPlan plan(q.size(2), ring.grid());
    const auto out = at::full({q.size(2), q.size(1), q.size(3)}, 7.0, q.options());
    ring.run(
        [plan, q, k, v, out](RingRank& rank) {
            const RingShare share = plan.share(rank.index());
            const auto write = [&](std::int64_t head, std::int64_t count, const at::Tensor& ownQ,
                                   const at::Tensor& ownK, const at::Tensor& ownV) {
                const auto own = [&](const at::Tensor& x) {
                    return x[0]
                        .narrow(0, head, count)
                        .narrow(1, share.begin, share.count)
                        .transpose(0, 1);
                };
                ownQ.copy_(own(q));
                ownK.copy_(own(k));
                ownV.copy_(own(v));
            };
            gridAttend(rank, plan, write, out.narrow(0, share.begin, share.count));
        },
        {});
    ring.gather(out, plan, {});
    return out;
}

double mostFor(const at::Tensor& expected, at::ScalarType type) {
    return type == at::kFloat
        ? 2e-6
        : expected.abs().max().item<double>() * std::numeric_limits<at::BFloat16>::epsilon();
}

struct GridAttention : testing::Test {
    static void SetUpTestSuite() { installCountingAllocator(); }
    GridAttention() { at::manual_seed(5); }
    c10::NoGradGuard inference;

    static at::Tensor drawn(std::int64_t P, at::ScalarType type = at::kFloat) {
        return at::randn({1, 16, P, 32}).to(type);
    }
    /// Of a layer of 16 heads x 16.
    static at::Tensor layerInput(std::int64_t P, at::ScalarType type = at::kFloat) {
        return at::randn({1, P, 256}).to(type);
    }
};

TEST_F(GridAttention, IsSingleDeviceAttention) {
    for (const std::int64_t P : {1, 13, 1024, 1944})
        for (const auto type : {at::kFloat, at::kBFloat16}) {
            const auto q = drawn(P, type), k = drawn(P, type), v = drawn(P, type);
            const auto whole
                = at::scaled_dot_product_attention(q, k, v)[0].transpose(0, 1).to(at::kFloat);
            for (const RankGrid& grid : kGrids) {
                ThreadRanks ring(settingsOf(grid));
                const auto out = gridOver(ring, q, k, v).to(at::kFloat);
                EXPECT_LE(test::difference(out, whole), mostFor(whole, type))
                    << P << " tokens, " << textOf(grid) << ", " << type;
            }
        }
}

TEST_F(GridAttention, LeavesHiddenPatchesOut) {
    for (const std::int64_t P : {1, 13, 1024, 1944})
        for (const auto type : {at::kFloat, at::kBFloat16}) {
            Weights weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
            const PatchSelfAttention layer(weights, "layer", 256, 16);
            for (const auto& [name, tensor] : weights.all())
                tensor.set_data(tensor.to(type));
            const auto hidden = at::rand({1, P}) < 0.3;
            const auto padding
                = at::zeros({1, P}, type)
                      .masked_fill_(hidden, -std::numeric_limits<double>::infinity());
            const auto x = layerInput(P, type);
            const auto shown = [&](const at::Tensor& out) {
                return out.masked_fill(hidden.unsqueeze(-1), 0).to(at::kFloat);
            };
            const auto expected = shown(layer.forward(x, padding, {AttentionPath::Sdpa, {}}));
            for (const RankGrid& grid : kGrids) {
                ThreadRanks ring(settingsOf(grid));
                const auto out = layer.forward(x, padding, {AttentionPath::Ring, {}, &ring});
                EXPECT_TRUE(out.isfinite().all().item<bool>());
                EXPECT_LE(test::difference(shown(out), expected), mostFor(expected, type))
                    << P << " patches, " << textOf(grid) << ", " << type;
            }
        }
}

TEST_F(GridAttention, GivesTheSameBytesOnEveryRun) {
    const auto q = drawn(517), k = drawn(517), v = drawn(517);
    for (const RankGrid& grid : {RankGrid{2, 1}, RankGrid{2, 2}, RankGrid{4, 1}}) {
        ThreadRanks ring(settingsOf(grid));
        const auto first = gridOver(ring, q, k, v);
        for (int run = 1; run < 5; ++run) {
            ThreadRanks other(settingsOf(grid));
            EXPECT_TRUE(at::equal(gridOver(run % 2 ? ring : other, q, k, v), first))
                << textOf(grid);
        }
    }
}

TEST_F(GridAttention, RefusesHeadsThatAGroupCannotShare) {
    const auto q = at::randn({1, 15, 40, 32});
    ThreadRanks ring(settingsOf({2, 1}));
    try {
        gridOver(ring, q, q, q);
        FAIL() << "no refusal";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Usage);
        EXPECT_NE(failure.error().sentence.find("cannot share 15 heads"), std::string::npos);
    }
    RingSettings uneven = settingsOf({1, 3});
    uneven.ulysses = 2;
    EXPECT_THROW(ThreadRanks{uneven}, Failure);
}

/// Bytes of all ranks' buffers for P tokens in 16 heads x 32, float32: what comes in and what is
/// mixed twice, the own tokens and what comes back for each other rank of the group, and keys and
/// values twice where they go round.
std::int64_t stagingBytes(std::int64_t P, const RankGrid& grid) {
    const RingPlan plan(P, grid);
    const std::int64_t row = headsAtOnce(plan, 16) * 32 * 4;
    const std::int64_t own = (grid.ulysses - 1) * plan.largestShare();
    const std::int64_t ring = grid.ring > 1 ? 2 * 2 * plan.largestGroupShare() : 0;
    return grid.ranks() * row * (2 * 4 * plan.largestGroupShare() + 4 * own + ring);
}

TEST_F(GridAttention, KeepsItsStagingFromOneLayerToTheNext) {
    const auto staged
        = [] { return cpuLedger().liveByCategory()[std::size_t(MemoryCategory::RingStaging)]; };
    for (const RankGrid& grid : {RankGrid{2, 1}, RankGrid{2, 2}, RankGrid{4, 1}}) {
        const std::int64_t before = staged();
        ThreadRanks ring(settingsOf(grid));
        for (const std::int64_t P : {300, 300, 120, 300}) {
            const auto q = drawn(P), k = drawn(P), v = drawn(P);
            gridOver(ring, q, k, v);
            EXPECT_EQ(staged() - before, stagingBytes(300, grid)) << textOf(grid);
        }
    }
}

TEST_F(GridAttention, PredictsTheMemoryOfEachRank) {
    for (const auto type : {at::kFloat, at::kBFloat16}) {
        // LibTorch's products in half precision take a little for their own use.
        const double most = type == at::kFloat ? 0 : 1 << 18;
        Weights weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
        const PatchSelfAttention layer(weights, "layer", 1024, 16);
        for (const auto& [name, tensor] : weights.all())
            tensor.set_data(tensor.to(type));
        for (const std::int64_t P : {3, 517, 2048})
            for (const RankGrid& grid : kGrids) {
                ThreadRanks ring(settingsOf(grid));
                const auto x = at::randn({1, P, 1024}).to(type);
                layer.forward(x, at::zeros({1, P}, type), {AttentionPath::Ring, {}, &ring});
                const AttentionShape shape{
                    1, 16, P, 1024, std::int64_t(x.element_size()), grid.ranks(), {grid, {}}};
                const auto measured = ring.peakBytes();
                std::int64_t together = P + std::int64_t(x.nbytes()); // hidden, and the result
                for (int rank = 0; rank < grid.ranks(); ++rank) {
                    EXPECT_NEAR(double(measured[std::size_t(rank)]),
                        double(rankPeakBytes(shape, rank)), most)
                        << P << " patches, " << textOf(grid) << ", rank " << rank << ", " << type;
                    together += rankPeakBytes(shape, rank);
                    // The same where each process has one rank, with all threads of the process.
                    AttentionShape here = shape;
                    here.threads = 1;
                    here.ring.here = rank;
                    EXPECT_EQ(attentionPeakBytes(here, AttentionPath::Ring),
                        P + std::int64_t(x.nbytes()) + rankPeakBytes(shape, rank));
                    EXPECT_EQ(ringStagingBytes(here) * grid.ranks(), ringStagingBytes(shape));
                }
                EXPECT_EQ(attentionPeakBytes(shape, AttentionPath::Ring), together);
            }
    }
}

TEST_F(GridAttention, SaysWhatItSentAndHowLongItWaited) {
    const std::int64_t P = 64, token = 16 * 32 * 4;
    const auto q = drawn(P), k = drawn(P), v = drawn(P);
    for (const RankGrid& grid : {RankGrid{1, 1}, RankGrid{1, 2}, RankGrid{2, 1}, RankGrid{4, 1}}) {
        ThreadRanks ring(settingsOf(grid));
        EXPECT_TRUE(ring.times().empty());
        gridOver(ring, q, k, v);
        gridOver(ring, q, k, v);
        ASSERT_EQ(int(ring.times().size()), grid.ranks());
        // A ring sends the keys and values of its share on; Ulysses all four, of other ranks'
        // heads.
        const std::int64_t share = P / grid.ranks() * token;
        const std::int64_t sent = grid.ulysses == 1 ? 2 * share * (grid.ring - 1)
                                                    : 4 * share * (grid.ulysses - 1) / grid.ulysses;
        for (const RankTimes& times : ring.times()) {
            EXPECT_EQ(times.sentBytes, sent) << textOf(grid);
            EXPECT_GT(times.computeMs, 0);
            EXPECT_GE(times.exposedMs, 0);
        }
    }
}

TEST_F(GridAttention, EndsWithARefusedAllocationAndRunsAgain) {
    const auto q = drawn(300), k = drawn(300), v = drawn(300);
    for (const RankGrid& grid : {RankGrid{2, 1}, RankGrid{2, 2}}) {
        const std::int64_t live = cpuLedger().live();
        {
            ThreadRanks ring(settingsOf(grid));
            const auto out = std::int64_t(q.nbytes());
            cpuLedger().setLimit(live + out + stagingBytes(300, grid) / 2);
            EXPECT_THROW(gridOver(ring, q, k, v), c10::OutOfMemoryError);
            cpuLedger().setLimit(std::nullopt);
            cpuLedger().clearRefusal();
        }
        EXPECT_EQ(cpuLedger().live(), live);
        ThreadRanks ring(settingsOf(grid));
        EXPECT_TRUE(gridOver(ring, q, k, v).isfinite().all().item<bool>());
    }
}

/// A port of this machine that nobody has.
int freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(socket, reinterpret_cast<const sockaddr*>(&address), size);
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(socket);
    return ntohs(address.sin_port);
}

TEST_F(GridAttention, WorksOverProcessGroupsToo) {
    if (!ProcessGroup::missing().empty())
        GTEST_SKIP() << ProcessGroup::missing();
    const auto q = drawn(117), k = drawn(117), v = drawn(117);
    const auto whole = at::scaled_dot_product_attention(q, k, v)[0].transpose(0, 1);
    for (const RankGrid& grid : {RankGrid{2, 1}, RankGrid{1, 2}, RankGrid{2, 2}}) {
        const int port = freePort();
        std::vector<std::jthread> ranks; // they could as well be processes
        for (int rank = 0; rank < grid.ranks(); ++rank)
            ranks.emplace_back([&, rank] {
                const c10::NoGradGuard noGradients;
                ProcessGroup group({rank, grid.ranks(), "127.0.0.1", port, grid.ulysses}, "",
                    {std::chrono::minutes(2), std::chrono::minutes(1)});
                ProcessRanks ring(group);
                const auto out = gridOver(ring, q, k, v);
                EXPECT_LE(test::difference(out, whole), 2e-6) << textOf(grid);
                EXPECT_EQ(int(ring.times().size()), grid.ranks());
                EXPECT_EQ(int(ring.peakBytes().size()), grid.ranks());
            });
    }
}

TEST(ProcessGroup, IsNotWaitedForAfterAStop) {
    if (!ProcessGroup::missing().empty())
        GTEST_SKIP() << ProcessGroup::missing();
    for (const int rank : {0, 1}) { // each without the other
        std::stop_source stop;
        const std::jthread later([stop]() mutable {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stop.request_stop();
        });
        EXPECT_THROW(ProcessGroup({rank, 2, "127.0.0.1", freePort()}, "",
                         {std::chrono::seconds(5), std::chrono::minutes(1)}, stop.get_token()),
            Cancelled)
            << rank;
    }
}

TEST(ProcessGroup, EndsWhereWhoIsToldAbortsItToo) {
    if (!ProcessGroup::missing().empty())
        GTEST_SKIP() << ProcessGroup::missing();
    ProcessGroup group(
        {0, 1, "127.0.0.1", freePort()}, "", {std::chrono::minutes(2), std::chrono::minutes(1)});
    std::stop_source job;
    const std::stop_callback cancel(job.get_token(), [&] { group.abort(); });
    group.whenEnded([job]() mutable { job.request_stop(); });
    group.abort();
    EXPECT_TRUE(job.stop_requested());
}

TEST(ProcessGroup, TellsAnUnknownHost) {
    if (!ProcessGroup::missing().empty())
        GTEST_SKIP() << ProcessGroup::missing();
    for (const int rank : {0, 1})
        try {
            ProcessGroup({rank, 2, "nohost.invalid", freePort()}, "",
                {std::chrono::seconds(5), std::chrono::minutes(1)});
            ADD_FAILURE() << "it was found";
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Device);
            EXPECT_NE(failure.error().sentence.find("nohost.invalid"), std::string::npos);
            EXPECT_NE(failure.error().sentence.find("MASTER_ADDR"), std::string::npos);
        }
}

TEST(ProcessRanks, EndWhenWhatOneComputesStandsStill) {
    if (!ProcessGroup::missing().empty())
        GTEST_SKIP() << ProcessGroup::missing();
    const int port = freePort();
    std::atomic<bool> gate = false;
    const std::jthread still([&] {
        ProcessGroup group({1, 2, "127.0.0.1", port}, "",
            {std::chrono::minutes(2), std::chrono::minutes(1), std::chrono::milliseconds(1100)});
        ProcessRanks(group).run(
            [&gate](RingRank&) {
                while (!gate)
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
            },
            {});
    });
    ProcessGroup group({0, 2, "127.0.0.1", port}, "",
        {std::chrono::minutes(2), std::chrono::minutes(1), std::chrono::minutes(1)});
    ProcessRanks ranks(group);
    try {
        ranks.run(
            [](RingRank& rank) {
                std::array<std::byte, 8> out{}, in{};
                Exchange exchange(rank.transport(), Outgoing{1, out}, Incoming{1, in});
                exchange.finish();
            },
            {});
        ADD_FAILURE() << "it came to an end";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Device);
        EXPECT_NE(failure.error().sentence.find("Rank 1 of 2 has given no sign of life for"),
            std::string::npos)
            << failure.error().sentence;
    }
    gate = true;
}

} // namespace
} // namespace maskscope
