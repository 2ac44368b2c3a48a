// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a mask over pixels in place; see overlay.h. A thread owns one pixel of some rows; the few
// neighbours that an outline looks at are in the cache.
#include "kernels/gpu/runtime.h"
#include "kernels/kernels.h"
#include "kernels/overlay.h"

namespace maskscope::kernels::gpu {

namespace {

constexpr int kThreads = 256;
constexpr std::int32_t kMostRowBlocks = 65'535;

__global__ void drawPixels(const std::uint8_t* bits /*[H, W]*/, std::int32_t height,
    std::int32_t width, OverlayStyle style, PixelRows pixels) {
    const auto x = static_cast<std::int32_t>(blockIdx.x * kThreads + threadIdx.x);
    if (x >= width)
        return;
    for (std::int32_t y = blockIdx.y; y < height; y += gridDim.y)
        if (bits[static_cast<std::int64_t>(y) * width + x])
            drawPixel(pixels.data + y * pixels.rowBytes + std::int64_t{x} * pixels.channels, style,
                onOutline(bits, height, width, y, x, style.outline));
}

} // namespace

void overlayMask(const std::uint8_t* bits, std::int32_t height, std::int32_t width,
    const OverlayStyle& style, const PixelRows& pixels, void* stream) {
    const dim3 grid(gpuBlocks(width, kThreads),
        static_cast<unsigned>(height < kMostRowBlocks ? height : kMostRowBlocks));
    drawPixels<<<grid, kThreads, 0, static_cast<gpuStream>(stream)>>>(
        bits, height, width, style, pixels);
    gpuCheckLaunch("overlayMask");
}

} // namespace maskscope::kernels::gpu
