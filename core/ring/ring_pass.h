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

/// The two places that chunks travel between, in turn; each holds plan.largestShare() tokens.
using RingBuffers = std::array<std::span<std::byte>, 2>;

/// Called with each rank's chunk once: the rank it belongs to, and what lies in a buffer.
using ChunkVisitor = std::function<void(int holder, std::span<const std::byte> chunk)>;

/// One rank's part in a ring pass. Its own chunk (`tokenBytes` for each token of its share) lies in
/// buffers[0] and is visited first; while a chunk is visited it also travels on, and the next one
/// arrives in the other buffer. All ranks call it with the same plan. Throws what the visitor and
/// the transport throw; the buffers are at rest then, too.
///
/// The order of visits is fixed for each rank, so that the same ranks give the same bytes. After
/// Ring Attention (Liu, Zaharia, Abbeel 2023), without causality.
inline void ringPass(int rank, const RingPlan& plan, std::int64_t tokenBytes,
    const RingBuffers& buffers, Transport& transport, const ChunkVisitor& visit) {
    const auto chunk = [&](int hop) {
        const std::int64_t tokens = plan.share(plan.holderAt(rank, hop)).count;
        return buffers[static_cast<std::size_t>(hop % 2)].first(
            static_cast<std::size_t>(tokens * tokenBytes));
    };
    for (int hop = 0; hop + 1 < plan.ranks(); ++hop) {
        Exchange exchange(transport, chunk(hop), chunk(hop + 1));
        visit(plan.holderAt(rank, hop), chunk(hop));
        exchange.finish();
    }
    const int last = plan.ranks() - 1;
    visit(plan.holderAt(rank, last), chunk(last));
}

} // namespace maskscope
