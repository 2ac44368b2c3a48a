// SPDX-License-Identifier: GPL-3.0-or-later
// (o1, lse1) <- union of (o1, lse1) and (o2, lse2), see softmax_state.h.
//
// A block owns kRows rows (t, h) of o, which lie one after the other, because a row's lse may only
// be replaced after all of its elements know their shares. The shares are computed once per row,
// into shared memory; then the block's threads run over its elements, neighbours over neighbours.
#include "kernels/gpu/runtime.h"
#include "kernels/kernels.h"
#include "kernels/softmax_state.h"

namespace maskscope::kernels::gpu {

namespace {

constexpr int kThreads = 256;
constexpr int kRows = 16;

__global__ void mergeRows(float* o1 /*[T, H, D]*/, float* lse1 /*[H, T]*/,
    const float* o2 /*[T, H, D]*/, const float* lse2 /*[H, T]*/, std::int64_t tokens,
    std::int64_t heads, std::int64_t dim) {
    __shared__ MergedShares shares[kRows];
    const std::int64_t rows = tokens * heads;
    for (std::int64_t begin = std::int64_t{blockIdx.x} * kRows; begin < rows;
         begin += std::int64_t{gridDim.x} * kRows) {
        const std::int64_t mine = begin + threadIdx.x;
        if (threadIdx.x < kRows && mine < rows) {
            const std::int64_t at = mine % heads * tokens + mine / heads;
            shares[threadIdx.x] = mergedShares(lse1[at], lse2[at]);
            lse1[at] = shares[threadIdx.x].lse;
        }
        __syncthreads();
        const std::int64_t end = (begin + kRows < rows ? begin + kRows : rows) * dim;
        for (std::int64_t i = begin * dim + threadIdx.x; i < end; i += kThreads)
            o1[i] = mergedElement(shares[i / dim - begin], o1[i], o2[i]);
        __syncthreads();
    }
}

} // namespace

void mergeStates(float* o1, float* lse1, const float* o2, const float* lse2, std::int64_t tokens,
    std::int64_t heads, std::int64_t dim, void* stream) {
    mergeRows<<<gpuBlocks(tokens * heads, kRows), kThreads, 0, static_cast<gpuStream>(stream)>>>(
        o1, lse1, o2, lse2, tokens, heads, dim);
    gpuCheckLaunch("mergeStates");
}

} // namespace maskscope::kernels::gpu
