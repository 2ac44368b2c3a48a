// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"
#include "core/ring/ring_plan.h"

#include <cstdint>

namespace maskscope {

/// How much of one attention layer is computed at a time, so that no call takes long and what is
/// held beside the result does not grow with the heads, and little with P.
struct AttentionPieces {
    std::int64_t heads = 1;
    std::int64_t rows = 1; ///< of the queries
};

/// Never more than a sweep's least P, so that memory is linear over the whole sweep.
inline constexpr std::int64_t kMostAttentionRows = 1024;

/// Rows that a block's MLP widens at a time: few enough that attention is the block's peak.
inline constexpr std::int64_t kMostMlpRows = 256;

AttentionPieces attentionPieces(std::int64_t batch, std::int64_t heads, std::int64_t patches);

/// Heads that a rank of a ring attends to in one pass, of H in all: few, so that staging is small,
/// and with Ulysses so few that most exchanges happen behind attention.
std::int64_t headsAtOnce(const RingPlan& plan, std::int64_t heads);

/// What the memory of one attention layer depends on.
struct AttentionShape {
    std::int64_t batch = 1;
    std::int64_t heads = 16;
    std::int64_t patches = 0;
    std::int64_t width = 1024;
    std::int64_t elementBytes = 4;
    int threads = 1; ///< of this process; each has scratch of its own
    RingRanks ring = {}; ///< of AttentionPath::Ring; those in this process share the threads
    std::int64_t stagingHeldBytes = 0; ///< of the ring's, which an earlier layer has taken
};

/// Which way a model's attention goes.
struct AttentionWay {
    AttentionPath path = AttentionPath::Sdpa; ///< never Auto
    RingRanks ring = {}; ///< of AttentionPath::Ring
};

/// One matrix of scores, B x H x P x P.
std::int64_t scoreMatrixBytes(const AttentionShape& shape);

/// Score matrices that the native path holds at once on a CPU: the scores and their softmax.
inline constexpr std::int64_t kNativeMatrices = 2;

/// The highest live tensor bytes of PatchSelfAttention::forward above those before it, without
/// gradients, with a padding mask that hides nothing. `path` is never Auto. Of a ring that is the
/// sum of what its ranks in this process hold at most, which they may do at different moments.
std::int64_t attentionPeakBytes(const AttentionShape& shape, AttentionPath path);

/// What one rank of a ring holds at most in such a layer, staging included.
std::int64_t rankPeakBytes(const AttentionShape& shape, int rank);

/// The staging buffers of the ranks in this process, which stay from one layer to the next.
std::int64_t ringStagingBytes(const AttentionShape& shape);

/// The same as attentionPeakBytes() of PatchBlock::forward.
std::int64_t blockPeakBytes(const AttentionShape& shape, AttentionPath path);

} // namespace maskscope
