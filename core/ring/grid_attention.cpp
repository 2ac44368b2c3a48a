// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/grid_attention.h"

#include "core/attention/attention_peak.h"
#include "core/attention/chunk_kernel.h"
#include "core/base/pieces.h"
#include "core/ring/ring_attention.h"
#include "core/ring/ulysses_attention.h"

#include <ATen/ops/empty.h>

namespace maskscope {

namespace {

/// Some heads after the other, each time once round.
void ringHeads(
    RingRank& rank, const RingPlan& plan, const HeadsWriter& write, const at::Tensor& out) {
    const auto t = out.size(0), H = out.size(1), D = out.size(2);
    const at::ScalarType type = chunkChoice(chunkKernels(), out.scalar_type()).type;
    const std::int64_t atOnce = rank.heads() > 0 ? rank.heads() : headsAtOnce(plan, H);
    inPieces(H, atOnce, {}, [&](std::int64_t head, std::int64_t count) {
        const at::Tensor q = at::empty({t, count, D}, out.options().dtype(type));
        ringAttend(
            rank, plan, q.transpose(0, 1).unsqueeze(0),
            [&](const at::Tensor& kv) {
                const ComputePiece piece = rank.piece("queries, keys, values");
                write(head, count, q, kv[0], kv[1]);
            },
            out.narrow(1, head, count));
    });
}

} // namespace

void gridAttend(
    RingRank& rank, const RingPlan& plan, const HeadsWriter& write, const at::Tensor& out) {
    checkHeads(plan.grid(), out.size(1));
    if (plan.grid().ulysses == 1)
        ringHeads(rank, plan, write, out);
    else
        ulyssesAttend(rank, plan, write, out);
}

} // namespace maskscope
