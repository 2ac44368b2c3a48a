// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention_peak.h"

#include "core/base/error.h"

#include <algorithm>
#include <string>

namespace maskscope {

namespace {

constexpr std::int64_t kGroup = 4; ///< heads at a time
constexpr std::int64_t kMostScores = std::int64_t(1) << 25; ///< in one call: about 100 ms
constexpr std::int64_t kUlyssesSteps = 4; ///< of which one is exposed each way
constexpr std::int64_t kFloat = 4; ///< bytes of what kernels accumulate in

/// What LibTorch's flash kernel for CPUs allocates beside its result: for each thread a block of
/// scores, its maxima and sums and a block of the result, and the scores again in half precision.
std::int64_t flashScratchBytes(const AttentionShape& shape, std::int64_t rows) {
    const std::int64_t D = shape.width / shape.heads;
    const std::int64_t queryBlock = std::min<std::int64_t>(rows,
        rows >= 768       ? 256
            : rows >= 192 ? 64
                          : 32);
    const std::int64_t keyBlock = std::min<std::int64_t>(shape.patches, 512);
    const std::int64_t exact = queryBlock * (keyBlock + 2 + D) * kFloat;
    const std::int64_t half = shape.elementBytes < kFloat ? queryBlock * keyBlock * 2 : 0;
    return shape.threads * (exact + half);
}

/// The result, and beside it either keys and values of some heads and one piece of queries with
/// what becomes of it, or one piece of the result projected.
std::int64_t leanBytes(const AttentionShape& shape) {
    const AttentionPieces pieces = attentionPieces(shape.batch, shape.heads, shape.patches);
    const std::int64_t rows = std::min(pieces.rows, shape.patches);
    const std::int64_t columns = pieces.heads * (shape.width / shape.heads);
    const std::int64_t B = shape.batch, P = shape.patches, e = shape.elementBytes;
    const std::int64_t keysAndValues = 2 * B * P * columns * e;
    const std::int64_t queriesAndMixed = 2 * B * rows * columns * e;
    const std::int64_t sums = B * pieces.heads * rows * kFloat;
    const std::int64_t attending
        = keysAndValues + queriesAndMixed + sums + flashScratchBytes(shape, rows);
    const std::int64_t projecting = B * std::min(P, kMostAttentionRows) * shape.width * e;
    return B * P * shape.width * e + std::max(attending, projecting);
}

/// One image as the ranks of a ring divide it.
struct RingSizes {
    explicit RingSizes(const AttentionShape& shape)
        : plan(shape.patches, shape.ring.grid)
        , heads(headsAtOnce(plan, shape.heads))
        , columns(heads * (shape.width / shape.heads))
        , rows(attentionPieces(1, heads, plan.largestGroupShare()).rows) { }

    bool isUlysses() const { return plan.grid().ulysses > 1; }

    RingPlan plan;
    std::int64_t heads; ///< of one pass
    std::int64_t columns; ///< of these heads
    std::int64_t rows; ///< of the queries at a time
};

/// Of one rank. Keys and values that go round need two buffers for the largest share of a group.
/// With Ulysses what comes in (queries, keys and values) and what is made of it need two each,
/// where there is more than one step, and one each what goes to the group's other ranks and what
/// these give back.
std::int64_t stagingBytes(const AttentionShape& shape, const RingSizes& sizes) {
    constexpr std::int64_t kRound = 4; // keys and values, twice
    constexpr std::int64_t kExchanged = 3 + 1; // queries, keys and values; what is made of them
    const RankGrid& grid = sizes.plan.grid();
    const std::int64_t group = sizes.plan.largestGroupShare();
    const std::int64_t others = std::int64_t(grid.ulysses - 1) * sizes.plan.largestShare();
    std::int64_t rows = 0;
    if (!sizes.isUlysses() || grid.ring > 1)
        rows += kRound * group;
    if (sizes.isUlysses()) {
        const std::int64_t turns = shape.heads / grid.ulysses > sizes.heads ? 2 : 1;
        rows += kExchanged * (turns * group + others);
    }
    return rows * sizes.columns * shape.elementBytes;
}

/// What a rank holds beside its staging while it attends. The queries are its own tokens', in
/// memory of their own, or with Ulysses those of all of the group's tokens, in the staging.
std::int64_t attendingBytes(const AttentionShape& shape, const RingSizes& sizes, int rank) {
    const std::int64_t t = sizes.plan.groupShare(sizes.plan.grid().groupOf(rank)).count;
    if (t == 0)
        return 0;
    const std::int64_t e = shape.elementBytes, rows = std::min(sizes.rows, t);
    AttentionShape chunk = shape;
    chunk.patches = sizes.plan.largestGroupShare();
    chunk.threads = std::max(1, shape.threads / shape.ring.countHere());
    const std::int64_t queries = sizes.isUlysses() ? 0 : t * sizes.columns * e;
    // Half precision is merged in float32 beside the result.
    const bool beside = e < kFloat && sizes.plan.groupsWithTokens() > 1;
    const std::int64_t state = t * ((beside ? sizes.columns : 0) + sizes.heads) * kFloat;
    const std::int64_t mixed = rows * (sizes.columns * e + sizes.heads * kFloat);
    return queries + state + mixed + flashScratchBytes(chunk, rows);
}

/// Queries, keys and values, and beside them the scores and their softmax; or, where these are
/// small, the projection that they are made of.
std::int64_t nativeBytes(const AttentionShape& shape) {
    const std::int64_t tokens = shape.batch * shape.patches * shape.width * shape.elementBytes;
    return 3 * tokens + std::max(kNativeMatrices * scoreMatrixBytes(shape), 3 * tokens);
}

} // namespace

AttentionPieces attentionPieces(std::int64_t batch, std::int64_t heads, std::int64_t patches) {
    const std::int64_t columns = std::max<std::int64_t>(1, batch * patches);
    // Fewer heads before fewer rows: the kernel takes larger blocks for 768 rows and more.
    const std::int64_t count = std::clamp<std::int64_t>(
        kMostScores / (columns * kMostAttentionRows), 1, std::min(heads, kGroup));
    return {
        count, std::clamp<std::int64_t>(kMostScores / (columns * count), 64, kMostAttentionRows)};
}

std::int64_t headsAtOnce(const RingPlan& plan, std::int64_t heads) {
    const std::int64_t part = heads / plan.grid().ulysses;
    const std::int64_t most = attentionPieces(1, part, plan.largestGroupShare()).heads;
    return plan.grid().ulysses == 1 ? most
                                    : std::clamp<std::int64_t>(part / kUlyssesSteps, 1, most);
}

std::int64_t scoreMatrixBytes(const AttentionShape& shape) {
    return shape.batch * shape.heads * shape.patches * shape.patches * shape.elementBytes;
}

std::int64_t attentionPeakBytes(const AttentionShape& shape, AttentionPath path) {
    const std::int64_t tokens = shape.batch * shape.patches;
    const std::int64_t hidden = tokens; // one byte each
    switch (path) {
    case AttentionPath::Mha:
        return hidden + nativeBytes(shape);
    case AttentionPath::Sdpa:
        return hidden + tokens * shape.elementBytes + leanBytes(shape);
    case AttentionPath::Flash: {
        AttentionShape image = shape;
        image.batch = 1;
        return hidden + leanBytes(image)
            + (shape.batch - 1) * shape.patches * shape.width * shape.elementBytes;
    }
    case AttentionPath::Ring: {
        std::int64_t bytes = hidden + tokens * shape.width * shape.elementBytes;
        for (int rank = 0; rank < shape.ring.countHere(); ++rank)
            bytes += rankPeakBytes(shape, shape.ring.firstHere() + rank);
        return bytes - std::min(shape.stagingHeldBytes, ringStagingBytes(shape));
    }
    case AttentionPath::Auto:
        break;
    }
    throw Failure(ErrorKind::Internal,
        "The memory of the attention path " + std::string(nameOf(path)) + " cannot be predicted.");
}

std::int64_t rankPeakBytes(const AttentionShape& shape, int rank) {
    const RingSizes sizes(shape);
    const std::int64_t t = sizes.plan.share(rank).count, row = shape.width * shape.elementBytes;
    const std::int64_t projecting = std::min(t, kMostAttentionRows) * row;
    return stagingBytes(shape, sizes) + t * row
        + std::max(attendingBytes(shape, sizes, rank), projecting);
}

std::int64_t ringStagingBytes(const AttentionShape& shape) {
    return shape.ring.countHere() * stagingBytes(shape, RingSizes(shape));
}

std::int64_t blockPeakBytes(const AttentionShape& shape, AttentionPath path) {
    const std::int64_t row = shape.width * shape.elementBytes;
    const std::int64_t tokens = shape.batch * shape.patches * row;
    // The normalised input beside attention; or its result with one piece of rows in the MLP, twice
    // as wide: norm, up, GELU, down.
    const std::int64_t staging = path == AttentionPath::Ring
        ? std::max<std::int64_t>(0, ringStagingBytes(shape) - shape.stagingHeldBytes)
        : 0;
    return tokens
        + std::max(attentionPeakBytes(shape, path),
            staging + shape.batch * std::min(shape.patches, kMostMlpRows) * 6 * row);
}

} // namespace maskscope
