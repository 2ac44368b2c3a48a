// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_attention.h"

#include "core/base/shape.h"
#include "core/ring/chunk_sum.h"
#include "core/ring/ring_pass.h"

#include <string>

namespace maskscope {

namespace {

std::span<std::byte> bytesOf(const at::Tensor& buffer) {
    return {static_cast<std::byte*>(buffer.mutable_data_ptr()),
        static_cast<std::size_t>(buffer.numel())};
}

} // namespace

void ringAttend(RingRank& rank, const RingPlan& plan, const at::Tensor& q,
    const OwnWriter& writeOwn, const at::Tensor& out) {
    const int group = plan.grid().groupOf(rank.index());
    const auto H = q.size(1), t = plan.groupShare(group).count, D = q.size(3);
    expectShape(q, {1, kAny, t, kAny}, "q");
    const ChunkChoice choice = chunkChoice(chunkKernels(), q.scalar_type());
    const at::Tensor queries = q.to(choice.type);
    const auto tokenBytes = 2 * H * D * static_cast<std::int64_t>(queries.element_size());
    const std::int64_t most = plan.largestGroupShare() * tokenBytes;
    const RingBuffers buffers{bytesOf(rank.staging().buffer(StagingPlace::RingKv0, most)),
        bytesOf(rank.staging().buffer(StagingPlace::RingKv1, most))};
    if (t > 0)
        writeOwn(tensorIn(buffers[0].data(), {2, t, H, D}, choice.type));

    ChunkSum sum(rank, choice, queries, out, plan.groupsWithTokens(), plan.largestGroupShare());
    ringPass(rank.index(), plan, tokenBytes, buffers, rank.transport(),
        [&](int holder, std::span<const std::byte> chunk) {
            const std::int64_t count = plan.groupShare(holder).count;
            rank.alive();
            if (count == 0)
                return;
            const at::Tensor kv
                = tensorIn(chunk.data(), {2, count, H, D}, choice.type).transpose(1, 2);
            sum.add(kv.narrow(0, 0, 1), kv.narrow(0, 1, 1), // [1, H, count, D]
                "attention to group " + std::to_string(holder));
        });
    sum.end();
}

} // namespace maskscope
