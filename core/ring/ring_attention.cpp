// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_attention.h"

#include "core/attention/attention_peak.h"
#include "core/attention/chunk_kernel.h"
#include "core/base/shape.h"
#include "core/ring/ring_pass.h"
#include "core/ring/softmax_state.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>

namespace maskscope {

namespace {

/// The stacked keys and values of some tokens in a buffer, which goes on owning them.
at::Tensor stackIn(
    const std::byte* data, const std::array<std::int64_t, 4>& shape, at::ScalarType type) {
    return at::from_blob(const_cast<std::byte*>(data), shape, at::TensorOptions(type));
}

std::span<std::byte> bytesOf(const at::Tensor& buffer) {
    return {static_cast<std::byte*>(buffer.mutable_data_ptr()),
        static_cast<std::size_t>(buffer.numel())};
}

} // namespace

void ringAttend(RingRank& rank, const RingPlan& plan, const at::Tensor& q,
    const OwnWriter& writeOwn, const at::Tensor& out) {
    const auto H = q.size(1), t = plan.share(rank.index()).count, D = q.size(3);
    expectShape(q, {1, kAny, t, kAny}, "q");
    expectShape(out, {t, H, D}, "out");
    const ChunkChoice choice = chunkChoice(chunkKernels(), q.scalar_type());
    const at::Tensor queries = q.to(choice.type);
    const auto tokenBytes = 2 * H * D * static_cast<std::int64_t>(queries.element_size());
    const auto& staging = rank.staging().buffers(plan.largestShare() * tokenBytes);
    const RingBuffers buffers{bytesOf(staging[0]), bytesOf(staging[1])};
    if (t > 0)
        writeOwn(stackIn(buffers[0].data(), {2, t, H, D}, choice.type));

    const at::Tensor into = out.scalar_type() == choice.type
        ? out
        : at::empty(out.sizes(), out.options().dtype(choice.type));
    // Where there are fewer tokens than ranks, the last ranks have none.
    auto left = static_cast<int>(std::min<std::int64_t>(plan.ranks(), plan.tokens()));
    SoftmaxState state(into, left);
    const std::int64_t rows = attentionPieces(1, H, plan.largestShare()).rows;
    ringPass(rank.index(), plan, tokenBytes, buffers, rank.transport(),
        [&](int holder, std::span<const std::byte> chunk) {
            const std::int64_t count = plan.share(holder).count;
            rank.alive();
            if (count == 0)
                return;
            const ChunkPlace place = --left == 0 ? ChunkPlace::Last : ChunkPlace::Inner;
            const at::Tensor kv
                = stackIn(chunk.data(), {2, count, H, D}, choice.type).transpose(1, 2);
            const at::Tensor k = kv.narrow(0, 0, 1), v = kv.narrow(0, 1, 1); // [1, H, count, D]
            for (std::int64_t row = 0; row < t; row += rows) {
                const std::int64_t some = std::min(rows, t - row);
                state.merge(choice.kernel->attend(queries.narrow(2, row, some), k, v), row, place);
                rank.alive();
            }
        });
    if (!into.is_same(out))
        out.copy_(into);
}

} // namespace maskscope
