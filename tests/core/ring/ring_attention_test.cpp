// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_attention.h"

#include "core/attention/attention_peak.h"
#include "core/attention/patch_attention.h"
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "core/ring/thread_ranks.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <limits>
#include <thread>

namespace maskscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array kRanks{1, 2, 3, 4, 8};

RingSettings settingsOf(int ranks, std::int64_t heads = 0) {
    RingSettings settings;
    settings.devices.assign(static_cast<std::size_t>(ranks), "cpu");
    settings.threads = ranks;
    settings.heads = heads;
    settings.patience.silence = std::chrono::minutes(1); // a busy machine is no failure
    return settings;
}

/// Whole attention from parts of it: q, k, v [1, H, P, D] to [P, H, D].
at::Tensor ringOver(Ring& ring, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    const RingPlan plan(q.size(2), ring.ranks());
    const auto out = at::full({q.size(2), q.size(1), q.size(3)}, 7.0, q.options());
    ring.run(
        [plan, q, k, v, out](RingRank& rank) {
            const RingShare share = plan.share(rank.index());
            const auto own = [&](const at::Tensor& x) {
                return x[0].narrow(1, share.begin, share.count).transpose(0, 1); // [t, H, D]
            };
            ringAttend(
                rank, plan, q.narrow(2, share.begin, share.count),
                [&](at::Tensor kv) {
                    at::stack_out(kv, {own(k), own(v)});
                },
                out.narrow(0, share.begin, share.count));
        },
        {});
    return out;
}

struct RingAttention : testing::Test {
    static void SetUpTestSuite() { installCountingAllocator(); }
    RingAttention() { at::manual_seed(5); }
    c10::NoGradGuard inference;

    at::Tensor drawn(std::int64_t P, at::ScalarType type = at::kFloat) const {
        return at::randn({1, 4, P, 64}).to(type);
    }
};

TEST_F(RingAttention, OverAnyNumberOfRanksIsSingleDeviceAttention) {
    for (const std::int64_t P : {1, 13, 1024, 1944})
        for (const auto type : {at::kFloat, at::kBFloat16}) {
            const auto q = drawn(P, type), k = drawn(P, type), v = drawn(P, type);
            const auto whole
                = at::scaled_dot_product_attention(q, k, v)[0].transpose(0, 1).to(at::kFloat);
            const double scale = whole.abs().max().item<double>();
            const double most
                = type == at::kFloat ? 2e-6 : scale * std::numeric_limits<at::BFloat16>::epsilon();
            for (const int ranks : kRanks) {
                ThreadRanks ring(settingsOf(ranks));
                const auto out = ringOver(ring, q, k, v).to(at::kFloat);
                EXPECT_LE(test::difference(out, whole), most)
                    << P << " tokens, " << ranks << " ranks, " << type;
            }
        }
}

TEST_F(RingAttention, DiffersNoMoreOverMoreRanks) {
    for (const auto type : {at::kFloat, at::kBFloat16}) {
        const auto q = drawn(1024, type), k = drawn(1024, type), v = drawn(1024, type);
        const auto scores = at::matmul(q.to(at::kDouble), k.to(at::kDouble).transpose(2, 3)) / 8;
        const auto exact = at::softmax(scores, -1).matmul(v.to(at::kDouble))[0].transpose(0, 1);
        const auto error = [&](const at::Tensor& out) {
            return (out.to(at::kDouble) - exact).square().mean().sqrt().item<double>();
        };
        const double single = error(at::scaled_dot_product_attention(q, k, v)[0].transpose(0, 1));
        for (const int ranks : kRanks) {
            ThreadRanks ring(settingsOf(ranks));
            EXPECT_LE(error(ringOver(ring, q, k, v)), 1.25 * single) << ranks << ' ' << type;
        }
    }
}

TEST_F(RingAttention, GivesTheSameBytesOnEveryRun) {
    const auto q = drawn(517), k = drawn(517), v = drawn(517);
    for (const int ranks : {2, 3}) {
        ThreadRanks ring(settingsOf(ranks));
        const auto first = ringOver(ring, q, k, v);
        for (int run = 1; run < 5; ++run) {
            ThreadRanks other(settingsOf(ranks));
            EXPECT_TRUE(at::equal(ringOver(run % 2 ? ring : other, q, k, v), first));
        }
    }
}

/// A layer of 16 heads x 64, as in the reference.
struct Layer {
    Weights weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
    PatchSelfAttention attention{weights, "layer", 1024, 16};

    /// The same with the keys and values of all heads at once.
    at::Tensor whole(const at::Tensor& x) const {
        const auto find = [&](const std::string& name) {
            for (const auto& [other, tensor] : weights.all())
                if (other == "layer." + name)
                    return tensor;
            return at::Tensor();
        };
        const auto part = [&](int i) {
            return at::linear(x, find("in_proj_weight").narrow(0, i * 1024, 1024),
                find("in_proj_bias").narrow(0, i * 1024, 1024))
                .view({1, x.size(1), 16, 64})
                .transpose(1, 2);
        };
        const auto q = part(0), k = part(1), v = part(2);
        const auto mixed = at::scaled_dot_product_attention(q, k, v).transpose(1, 2);
        return at::linear(mixed.reshape(x.sizes()), find("out_proj.weight"), find("out_proj.bias"));
    }
};

TEST_F(RingAttention, DividesTheMemoryOfALayer) {
    const Layer layer;
    const auto x = at::randn({1, 3952, 1024}), padding = at::zeros({1, 3952});
    std::int64_t whole = 0;
    at::Tensor expected;
    {
        PeakWindow peak(cpuLedger());
        expected = layer.whole(x);
        whole = peak.peak() - peak.liveAtStart();
    }
    for (const auto& [heads, most] : {std::pair{std::int64_t(0), 0.6}, {std::int64_t(16), 0.9}}) {
        ThreadRanks ring(settingsOf(2, heads));
        PeakWindow peak(cpuLedger());
        const auto out = layer.attention.forward(x, padding, {AttentionPath::Ring, {}, &ring});
        const std::int64_t together = peak.peak() - peak.liveAtStart();
        EXPECT_LE(test::difference(out, expected), 2e-6);
        for (const int rank : {0, 1}) {
            const double share = double(ring.peakBytes()[std::size_t(rank)]) / double(whole);
            RecordProperty("share_" + std::to_string(heads) + '_' + std::to_string(rank),
                std::to_string(share));
            EXPECT_LE(share, most) << "rank " << rank << ", " << heads << " heads at once";
        }
        if (heads != 0)
            continue;
        const AttentionShape shape{1, 16, 3952, 1024, 4, 2, {{1, 2}, {}}};
        for (const int rank : {0, 1})
            EXPECT_EQ(ring.peakBytes()[std::size_t(rank)], rankPeakBytes(shape, rank));
        const auto predicted = double(attentionPeakBytes(shape, AttentionPath::Ring));
        EXPECT_NEAR(double(together), predicted, std::max(0.02 * predicted, double(1 << 20)));
    }
}

TEST_F(RingAttention, PredictsItsMemoryForAnyRanksAndPrecisions) {
    for (const auto type : {at::kFloat, at::kBFloat16}) {
        const Layer layer;
        for (const auto& [name, tensor] : layer.weights.all())
            tensor.set_data(tensor.to(type));
        for (const std::int64_t P : {3, 1030})
            for (const int ranks : {1, 2, 5}) {
                ThreadRanks ring(settingsOf(ranks));
                const auto x = at::randn({1, P, 1024}).to(type);
                layer.attention.forward(
                    x, at::zeros({1, P}, type), {AttentionPath::Ring, {}, &ring});
                const AttentionShape shape{
                    1, 16, P, 1024, type == at::kFloat ? 4 : 2, ranks, {{1, ranks}, {}}};
                for (int rank = 0; rank < ranks; ++rank) {
                    const auto predicted = double(rankPeakBytes(shape, rank));
                    EXPECT_NEAR(double(ring.peakBytes()[std::size_t(rank)]), predicted,
                        std::max(0.02 * predicted, double(1 << 20)))
                        << P << ' ' << ranks << ' ' << rank << ' ' << type;
                }
            }
    }
}

TEST_F(RingAttention, KeepsItsStagingFromOneLayerToTheNext) {
    const Layer layer;
    ThreadRanks ring(settingsOf(2));
    const auto staged
        = [] { return cpuLedger().liveByCategory()[std::size_t(MemoryCategory::RingStaging)]; };
    const std::int64_t before = staged();
    for (const std::int64_t P : {300, 300, 120}) {
        layer.attention.forward(
            at::randn({1, P, 1024}), at::zeros({1, P}), {AttentionPath::Ring, {}, &ring});
        EXPECT_EQ(staged() - before, ringStagingBytes({1, 16, 300, 1024, 4, 2, {{1, 2}, {}}}));
    }
}

TEST_F(RingAttention, EndsWithARefusedAllocationAndRunsAgain) {
    const Layer layer;
    const auto x = at::randn({1, 700, 1024}), padding = at::zeros({1, 700});
    const std::int64_t live = cpuLedger().live();
    const auto need
        = attentionPeakBytes({1, 16, 700, 1024, 4, 2, {{1, 2}, {}}}, AttentionPath::Ring);
    for (const double share : {0.1, 0.4, 0.7, 0.9}) {
        const auto begin = Clock::now();
        {
            ThreadRanks ring(settingsOf(2));
            const MemoryBudget budget(cpuLedger(), live + std::int64_t(share * double(need)));
            EXPECT_THROW(layer.attention.forward(x, padding, {AttentionPath::Ring, {}, &ring}),
                c10::OutOfMemoryError);
        }
        EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10));
        EXPECT_EQ(cpuLedger().live(), live) << "something is still held";
        ThreadRanks ring(settingsOf(2));
        EXPECT_TRUE(layer.attention.forward(x, padding, {AttentionPath::Ring, {}, &ring})
                        .isfinite()
                        .all()
                        .item<bool>());
    }
}

TEST_F(RingAttention, StopsWithinALayer) {
    const Layer layer;
    const auto x = at::randn({1, 3000, 1024}), padding = at::zeros({1, 3000});
    std::stop_source stop;
    ThreadRanks ring(settingsOf(2));
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    EXPECT_THROW(
        layer.attention.forward(x, padding, {AttentionPath::Ring, stop.get_token(), &ring}),
        Cancelled);
}

TEST_F(RingAttention, LeavesTheThreadsOfOthersAlone) {
    const int before = at::get_num_threads();
    std::array<int, 2> within{};
    RingSettings settings = settingsOf(2);
    settings.threads = 6;
    ThreadRanks ring(settings);
    ring.run(
        [&within](RingRank& rank) { within[std::size_t(rank.index())] = at::get_num_threads(); },
        {});
    EXPECT_EQ(within, (std::array{3, 3}));
    EXPECT_EQ(at::get_num_threads(), before);
    int later = 0;
    std::thread([&] { later = at::get_num_threads(); }).join();
    EXPECT_EQ(later, before);
}

} // namespace
} // namespace maskscope
