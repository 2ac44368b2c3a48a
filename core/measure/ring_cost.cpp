// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ring_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/measure/layer_run.h"
#include "core/measure/stopwatch.h"
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"
#include "core/ring/grid_attention.h"
#include "core/ring/ring_devices.h"
#include "core/ring/thread_ranks.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <utility>

namespace maskscope {

namespace {

/// Where the median of such values would lie in 95 of 100 repetitions.
std::pair<double, double> intervalOfMedian(const std::vector<double>& values) {
    constexpr std::size_t kResamples = 2000;
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
    std::vector<double> medians(kResamples), sample(values.size());
    for (double& found : medians) {
        for (double& value : sample)
            value = values[any(random)];
        found = spreadOf(sample).median;
    }
    std::sort(medians.begin(), medians.end());
    return {medians[kResamples / 40], medians[kResamples - 1 - kResamples / 40]};
}

/// The three that are compared, on the same numbers.
class Contest {
public:
    explicit Contest(const RingCostPlan& plan)
        : m_ring(settingsOf(plan))
        , m_q(drawn(plan, 1))
        , m_k(drawn(plan, 2))
        , m_v(drawn(plan, 3)) { }

    int ranks() const { return m_ring.ranks(); }

    at::Tensor ring(const std::stop_token& stop) {
        const RingPlan plan(m_q.size(2), m_ring.grid());
        at::Tensor out
            = at::empty({m_q.size(2), m_q.size(1), m_q.size(3)}, m_q.options()); // [P, H, D]
        m_ring.run(
            [plan, q = m_q, k = m_k, v = m_v, out](RingRank& rank) {
                const RingShare share = plan.share(rank.index());
                gridAttend(
                    rank, plan,
                    [&](std::int64_t head, std::int64_t count, const at::Tensor& ownQ,
                        const at::Tensor& ownK, const at::Tensor& ownV) {
                        const auto own = [&](const at::Tensor& x) { // [t, count, D]
                            return x[0]
                                .narrow(0, head, count)
                                .narrow(1, share.begin, share.count)
                                .transpose(0, 1);
                        };
                        ownQ.copy_(own(q));
                        ownK.copy_(own(k));
                        ownV.copy_(own(v));
                    },
                    out.narrow(0, share.begin, share.count));
            },
            stop);
        return out;
    }

    at::Tensor single(int threads) const {
        at::set_num_threads(threads);
        return at::scaled_dot_product_attention(m_q, m_k, m_v);
    }

private:
    static RingSettings settingsOf(const RingCostPlan& plan) {
        RingSettings settings;
        settings.devices = checkedRingDevices(plan.devices);
        settings.threads = plan.threads * static_cast<int>(settings.devices.size());
        return settings;
    }

    static at::Tensor drawn(const RingCostPlan& plan, std::uint64_t seed) {
        LayerShape shape;
        shape.precision = plan.precision;
        const auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
        return at::randn({1, plan.patches, plan.heads, plan.headDim}, generator)
            .to(scalarTypeOf(shape))
            .transpose(1, 2); // as projections give them
    }

    ThreadRanks m_ring;
    at::Tensor m_q, m_k, m_v; ///< [1, H, P, D]
};

double msOf(const std::function<at::Tensor()>& work) {
    const Stopwatch watch;
    const at::Tensor out = work();
    return watch.ms();
}

double largestDifference(const at::Tensor& ring /*[P, H, D]*/, const at::Tensor& single) {
    const at::Tensor other = single[0].transpose(0, 1);
    return (ring.to(at::kFloat) - other.to(at::kFloat)).abs_().max().item<double>();
}

void check(const RingCostPlan& plan) {
    if (plan.patches < 1 || plan.heads < 1 || plan.headDim < 1 || plan.rounds < 1
        || plan.threads < 1)
        throw Failure(ErrorKind::Usage,
            "There is nothing to measure: give at least one patch, head, number per head, thread"
            " and round.");
}

} // namespace

RingCost measureRing(const RingCostPlan& plan, const std::function<void(int round)>& onRound,
    const std::stop_token& stop) {
    check(plan);
    installCountingAllocator();
    prepareRequest({});
    const MemoryBudget budget(cpuLedger(), defaultMemoryLimit(cpuLedger().live()));
    const c10::InferenceMode inference;
    Contest contest(plan);
    const int all = plan.threads * contest.ranks();
    RingCost cost;
    cost.ranks = contest.ranks();
    // Also the first run of each, which sets things up.
    cost.largestDifference = largestDifference(contest.ring(stop), contest.single(all));
    std::vector<double> ring, one, together, ratios;
    for (int round = 1; round <= plan.rounds; ++round) {
        throwIfStopped(stop);
        ring.push_back(msOf([&] { return contest.ring(stop); }));
        together.push_back(msOf([&] { return contest.single(all); }));
        one.push_back(msOf([&] { return contest.single(plan.threads); }));
        ratios.push_back(ring.back() / together.back());
        budget.check();
        onRound(round);
    }
    cost.ringMs = spreadOf(ring);
    cost.oneMs = spreadOf(one);
    cost.allMs = spreadOf(together);
    cost.overhead = cost.ranks * cost.ringMs.median / cost.oneMs.median - 1;
    cost.ratio = spreadOf(ratios).median;
    std::tie(cost.ratioLow, cost.ratioHigh) = intervalOfMedian(ratios);
    return cost;
}

} // namespace maskscope
