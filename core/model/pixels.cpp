// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pixels.h"

#include "core/base/pieces.h"
#include "core/image/resize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>

namespace maskscope {

namespace {

constexpr std::int64_t kMostPixels = std::int64_t(1) << 20; ///< normalised at a time
constexpr std::int64_t kFloat = 4; ///< bytes

std::int64_t rowsAtATime(const ModelSize& size) {
    return std::max<std::int64_t>(1, kMostPixels / size.width);
}

} // namespace

at::Tensor modelPixels(const Image& image, const ModelSize& size, const std::stop_token& stop) {
    Image small = resized(image, int(size.width), int(size.height), ResizeFilter::Bicubic);
    const auto bytes = at::from_blob(small.rgb.data(), {1, size.height, size.width, 3}, at::kByte)
                           .permute({0, 3, 1, 2});
    auto pixels = at::empty({1, 3, size.height, size.width},
        at::TensorOptions(at::kFloat).memory_format(at::MemoryFormat::ChannelsLast));
    inPieces(size.height, rowsAtATime(size), stop, [&](std::int64_t row, std::int64_t some) {
        pixels.narrow(2, row, some).copy_(normalisedPixels(bytes.narrow(2, row, some)));
    });
    return pixels;
}

void addPixelsPeak(PeakSum& sum, const ModelSize& size) {
    const std::int64_t row = 3 * size.width;
    const std::int64_t whole = row * size.height;
    const std::int64_t piece = row * std::min(size.height, rowsAtATime(size));
    sum.passBytes((whole + 3 * piece) * kFloat); // a piece as float, minus, and divided
    if (sum.elementBytes() != kFloat)
        sum.passBytes(whole * (kFloat + sum.elementBytes()));
    sum.take(whole);
}

at::Tensor normalisedPixels(const at::Tensor& rgb) {
    return (rgb.to(at::kFloat) - 127) / 128;
}

} // namespace maskscope
