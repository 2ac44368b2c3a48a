// SPDX-License-Identifier: GPL-3.0-or-later
// bits <- bilinear(logits) > threshold, with the extent of the ones; see bilinear.h.
//
// A thread owns one column of some rows: neighbours write neighbouring bytes, and read logits that
// the cache holds, since many pixels share four of them. Each keeps the extent of what it wrote in
// registers; a block joins them in shared memory, so that global memory sees a handful of atomics.
#include "kernels/bilinear.h"
#include "kernels/gpu/runtime.h"
#include "kernels/kernels.h"

namespace maskscope::kernels::gpu {

namespace {

constexpr int kThreads = 256;
constexpr std::int32_t kMostRowBlocks = 256;

using Area = unsigned long long; // what atomicAdd takes

struct Ones {
    Area area;
    std::int32_t left, top, right, bottom; // right and bottom exclusive
};

__device__ void join(Area* area, std::int32_t* left, std::int32_t* top, std::int32_t* right,
    std::int32_t* bottom, const Ones& ones) {
    if (ones.area == 0)
        return;
    atomicAdd(area, ones.area);
    atomicMin(left, ones.left);
    atomicMin(top, ones.top);
    atomicMax(right, ones.right);
    atomicMax(bottom, ones.bottom);
}

__global__ void emptyExtent(MaskExtent* extent, std::int32_t height, std::int32_t width) {
    *extent = {0, width, height, 0, 0};
}

__global__ void upsampleColumns(const float* logits /*[h, w]*/, std::int32_t h, std::int32_t w,
    float threshold, std::uint8_t* bits /*[H, W]*/, std::int32_t height, std::int32_t width,
    MaskExtent* extent) {
    __shared__ Ones block;
    if (threadIdx.x == 0)
        block = {0, width, height, 0, 0};
    __syncthreads();

    Ones mine = {0, width, height, 0, 0};
    const auto x = static_cast<std::int32_t>(blockIdx.x * kThreads + threadIdx.x);
    if (x < width) {
        const Tap columns = tapAt(x, static_cast<float>(w) / static_cast<float>(width), w);
        const float scale = static_cast<float>(h) / static_cast<float>(height);
        for (std::int32_t y = blockIdx.y; y < height; y += gridDim.y) {
            const Tap rows = tapAt(y, scale, h);
            const float* first = logits + static_cast<std::int64_t>(rows.first) * w;
            const float* second = logits + static_cast<std::int64_t>(rows.second) * w;
            const float left = mixed(first[columns.first], second[columns.first], rows.weight);
            const float right = mixed(first[columns.second], second[columns.second], rows.weight);
            const bool inside = mixed(left, right, columns.weight) > threshold;
            bits[static_cast<std::int64_t>(y) * width + x] = inside;
            if (inside) {
                mine.top = mine.area == 0 ? y : mine.top;
                mine.bottom = y + 1;
                ++mine.area;
            }
        }
        mine.left = x;
        mine.right = x + 1;
    }
    join(&block.area, &block.left, &block.top, &block.right, &block.bottom, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        join(reinterpret_cast<Area*>(&extent->area), &extent->left, &extent->top, &extent->right,
            &extent->bottom, block);
}

} // namespace

void upsampleMask(const float* logits, std::int32_t h, std::int32_t w, float threshold,
    std::uint8_t* bits, std::int32_t height, std::int32_t width, MaskExtent* extent, void* stream) {
    const auto queue = static_cast<gpuStream>(stream);
    emptyExtent<<<1, 1, 0, queue>>>(extent, height, width);
    const dim3 grid(gpuBlocks(width, kThreads),
        static_cast<unsigned>(height < kMostRowBlocks ? height : kMostRowBlocks));
    upsampleColumns<<<grid, kThreads, 0, queue>>>(
        logits, h, w, threshold, bits, height, width, extent);
    gpuCheckLaunch("upsampleMask");
}

} // namespace maskscope::kernels::gpu
