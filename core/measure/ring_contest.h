// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/ring_shape.h"
#include "core/ring/link_probe.h"
#include "core/ring/link_rate.h"
#include "core/ring/strategy_choice.h"
#include "core/ring/thread_ranks.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// The ways to do the same attention, on the same numbers: by one device, and by ranks that are
/// threads of this process. In inference mode.
class RingContest {
public:
    /// `ulysses` are the degrees that take part; empty: all that share the heads equally. Throws
    /// Failure(Usage, Device).
    RingContest(const RingShape& shape, const std::vector<int>& ulysses);

    /// The single device first.
    const std::vector<RankGrid>& grids() const { return m_grids; }
    int ranks() const { return m_rings.front()->ranks(); }

    /// By grids()[which]: [P, H, D].
    at::Tensor attend(std::size_t which, const std::stop_token& stop);
    /// What its ranks did then.
    std::vector<RankTimes> times(std::size_t which) { return ringOf(which).times(); }
    /// One call with so many threads.
    at::Tensor single(int threads) const;

    void setLink(const LinkRate& rate) { *m_rate = rate; }

    LayerWork layer() const;
    /// What goes that way, of which each rank computes for so long.
    GridWork work(std::size_t which, double computeMs) const;
    LinkProbe probeLink(const std::stop_token& stop);

    /// The trace (see traceOf()) of two runs by grids()[which], not 0, of which the first sets
    /// things up.
    std::string traced(std::size_t which, const std::stop_token& stop) const;

private:
    std::unique_ptr<ThreadRanks> ringFor(
        const RankGrid& grid, const std::shared_ptr<RingTimeline>& timeline) const;
    ThreadRanks& ringOf(std::size_t which) { return *m_rings[which - 1]; }
    at::Tensor shared(Ring& ring, const std::stop_token& stop) const;

    RingShape m_shape;
    std::shared_ptr<LinkRate> m_rate = std::make_shared<LinkRate>();
    at::Tensor m_q, m_k, m_v; ///< [1, H, P, D]
    std::vector<RankGrid> m_grids;
    std::vector<std::unique_ptr<ThreadRanks>> m_rings; ///< of all grids but the first
};

} // namespace maskscope
