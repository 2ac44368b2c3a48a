// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/ring_plan.h"
#include "core/ring/transport.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace maskscope {

/// The two places that chunks travel between, in turn; each holds plan.largestGroupShare() tokens.
using RingBuffers = std::array<std::span<std::byte>, 2>;

/// Called with each group's chunk once: the group it belongs to, and what lies in a buffer.
using ChunkVisitor = std::function<void(int holder, std::span<const std::byte> chunk)>;

/// One rank's part in a ring pass between groups, with the ranks at its place in theirs. The own
/// chunk (`tokenBytes` for each token of its group) lies in buffers[0] and is visited first; while
/// a chunk is visited it also travels on, and the next one arrives in the other buffer. All ranks
/// call it with the same plan. Throws what the visitor and the transport throw; the buffers are at
/// rest then, too.
///
/// The order of visits is fixed for each rank, so that the same ranks give the same bytes. After
/// Ring Attention (Liu, Zaharia, Abbeel 2023), without causality.
inline void ringPass(int rank, const RingPlan& plan, std::int64_t tokenBytes,
    const RingBuffers& buffers, Transport& transport, const ChunkVisitor& visit) {
    const RankGrid& grid = plan.grid();
    const int group = grid.groupOf(rank);
    const int next = grid.rankAt((group + 1) % grid.ring, grid.placeOf(rank));
    const int before = grid.rankAt((group + grid.ring - 1) % grid.ring, grid.placeOf(rank));
    const auto chunk = [&](int hop) {
        const std::int64_t tokens = plan.groupShare(plan.holderAt(group, hop)).count;
        return buffers[static_cast<std::size_t>(hop % 2)].first(
            static_cast<std::size_t>(tokens * tokenBytes));
    };
    const int last = grid.ring - 1;
    for (int hop = 0; hop < last; ++hop) {
        Exchange exchange(transport, Outgoing{next, chunk(hop)}, Incoming{before, chunk(hop + 1)});
        visit(plan.holderAt(group, hop), chunk(hop));
        exchange.finish();
    }
    visit(plan.holderAt(group, last), chunk(last));
}

} // namespace maskscope
