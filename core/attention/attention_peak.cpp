// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention_peak.h"

#include "core/base/error.h"
#include "core/ring/ring_plan.h"

#include <algorithm>
#include <string>

namespace maskscope {

namespace {

constexpr std::int64_t kGroup = 4; ///< heads at a time
constexpr std::int64_t kMostScores = std::int64_t(1) << 25; ///< in one call: about 100 ms
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
        : plan(shape.patches, shape.ranks)
        , pieces(attentionPieces(1, shape.heads, plan.largestShare()))
        , columns(pieces.heads * (shape.width / shape.heads)) { }

    RingPlan plan;
    AttentionPieces pieces;
    std::int64_t columns; ///< of the heads of one pass
};

/// Of one rank: two buffers, each for the keys and values of the largest share.
std::int64_t stagingBytes(const AttentionShape& shape, const RingSizes& sizes) {
    return 2 * 2 * sizes.plan.largestShare() * sizes.columns * shape.elementBytes;
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
        for (int rank = 0; rank < shape.ranks; ++rank)
            bytes += rankPeakBytes(shape, rank);
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
    const std::int64_t t = sizes.plan.share(rank).count, e = shape.elementBytes;
    const std::int64_t rows = std::min(sizes.pieces.rows, t);
    // Half precision is merged in float32 beside the result.
    const bool half = e < kFloat && std::min<std::int64_t>(shape.ranks, shape.patches) > 1;
    AttentionShape chunk = shape;
    chunk.patches = sizes.plan.largestShare();
    chunk.threads = std::max(1, shape.threads / shape.ranks);
    const std::int64_t queriesAndState
        = t * (sizes.columns * (e + (half ? kFloat : 0)) + sizes.pieces.heads * kFloat);
    const std::int64_t mixed = rows * (sizes.columns * e + sizes.pieces.heads * kFloat);
    const std::int64_t attending
        = t == 0 ? 0 : queriesAndState + mixed + flashScratchBytes(chunk, rows);
    const std::int64_t projecting = std::min(t, kMostAttentionRows) * shape.width * e;
    return stagingBytes(shape, sizes) + t * shape.width * e + std::max(attending, projecting);
}

std::int64_t ringStagingBytes(const AttentionShape& shape) {
    return shape.ranks * stagingBytes(shape, RingSizes(shape));
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
