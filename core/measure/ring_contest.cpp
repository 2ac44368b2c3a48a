// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ring_contest.h"

#include "core/attention/attention_peak.h"
#include "core/base/error.h"
#include "core/measure/layer_run.h"
#include "core/ring/grid_attention.h"
#include "core/ring/ring_devices.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <utility>

namespace maskscope {

namespace {

at::Tensor drawn(const RingShape& shape, std::uint64_t seed) {
    LayerShape layer;
    layer.precision = shape.precision;
    const auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    return at::randn({1, shape.patches, shape.heads, shape.headDim}, generator)
        .to(scalarTypeOf(layer))
        .transpose(1, 2); // as projections give them
}

/// A rank's part of what projections gave, to be copied where it is asked for.
struct Numbers {
    at::Tensor q, k, v; ///< [1, H, P, D]
    RingShare share;

    void operator()(std::int64_t head, std::int64_t count, const at::Tensor& toQ,
        const at::Tensor& toK, const at::Tensor& toV) const {
        for (const auto& [from, to] : {std::pair(q, toQ), {k, toK}, {v, toV}})
            to.copy_(
                from[0].narrow(0, head, count).narrow(1, share.begin, share.count).transpose(0, 1));
    }
};

/// One rank's part of the attention.
void attendShare(
    RingRank& rank, const RingPlan& plan, Numbers numbers, const at::Tensor& out /*[P, H, D]*/) {
    numbers.share = plan.share(rank.index());
    gridAttend(rank, plan, numbers, out.narrow(0, numbers.share.begin, numbers.share.count));
}

} // namespace

RingContest::RingContest(const RingShape& shape, const std::vector<int>& ulysses)
    : m_shape(shape)
    , m_q(drawn(shape, 1))
    , m_k(drawn(shape, 2))
    , m_v(drawn(shape, 3)) {
    m_shape.devices = checkedRingDevices(shape.devices);
    const int ranks = static_cast<int>(m_shape.devices.size());
    if (ranks < 2)
        throw Failure(ErrorKind::Usage,
            "One rank has nobody to share with: give at least two, such as cpu,cpu.");
    m_grids = gridsOf(ranks, shape.heads);
    if (!ulysses.empty()) {
        m_grids.resize(1);
        for (const int degree : ulysses)
            m_grids.push_back(checkedRankGrid(ranks, degree));
    }
    for (std::size_t which = 1; which < m_grids.size(); ++which) {
        checkHeads(m_grids[which], shape.heads);
        m_rings.push_back(ringFor(m_grids[which], nullptr));
    }
}

std::unique_ptr<ThreadRanks> RingContest::ringFor(
    const RankGrid& grid, const std::shared_ptr<RingTimeline>& timeline) const {
    RingSettings settings;
    settings.devices = m_shape.devices;
    settings.threads = m_shape.threads * grid.ranks();
    settings.ulysses = grid.ulysses;
    settings.links = {paceOf(m_rate), timeline};
    return std::make_unique<ThreadRanks>(settings);
}

at::Tensor RingContest::single(int threads) const {
    at::set_num_threads(threads);
    return at::scaled_dot_product_attention(m_q, m_k, m_v)[0].transpose(0, 1);
}

at::Tensor RingContest::shared(Ring& ring, const std::stop_token& stop) const {
    const RingPlan plan(m_shape.patches, ring.grid());
    at::Tensor out = at::empty({m_shape.patches, m_shape.heads, m_shape.headDim}, m_q.options());
    ring.run([plan, numbers = Numbers{m_q, m_k, m_v, {}}, out](
                 RingRank& rank) { attendShare(rank, plan, numbers, out); },
        stop);
    return out;
}

at::Tensor RingContest::attend(std::size_t which, const std::stop_token& stop) {
    return which == 0 ? single(m_shape.threads) : shared(ringOf(which), stop);
}

LayerWork RingContest::layer() const {
    return {m_shape.patches, m_shape.heads, m_shape.headDim, m_q.element_size()};
}

LinkProbe RingContest::probeLink(const std::stop_token& stop) {
    return maskscope::probeLink(*m_rings.front(), stop);
}

GridWork RingContest::work(std::size_t which, double computeMs) const {
    const RankGrid grid = m_grids[which];
    if (which == 0)
        return {grid, 1, computeMs};
    const std::int64_t heads = m_shape.heads / grid.ulysses;
    const std::int64_t atOnce = headsAtOnce(RingPlan(m_shape.patches, grid), m_shape.heads);
    return {grid, static_cast<int>((heads + atOnce - 1) / atOnce), computeMs};
}

std::string RingContest::traced(std::size_t which, const std::stop_token& stop) const {
    const auto timeline = std::make_shared<RingTimeline>();
    const auto ring = ringFor(m_grids[which], timeline);
    for (int run = 0; run < 2; ++run)
        shared(*ring, stop);
    return traceOf(*timeline);
}

} // namespace maskscope
