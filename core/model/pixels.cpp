// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pixels.h"

#include "core/base/pieces.h"
#include "core/image/resize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>

namespace maskscope {

at::Tensor modelPixels(const Image& image, const ModelSize& size, const std::stop_token& stop) {
    constexpr std::int64_t kMostPixels = std::int64_t(1) << 20; ///< normalised at a time
    Image small = resized(image, int(size.width), int(size.height), ResizeFilter::Bicubic);
    const auto bytes = at::from_blob(small.rgb.data(), {1, size.height, size.width, 3}, at::kByte)
                           .permute({0, 3, 1, 2});
    auto pixels = at::empty({1, 3, size.height, size.width},
        at::TensorOptions(at::kFloat).memory_format(at::MemoryFormat::ChannelsLast));
    const auto rows = std::max<std::int64_t>(1, kMostPixels / size.width);
    inPieces(size.height, rows, stop, [&](std::int64_t row, std::int64_t some) {
        pixels.narrow(2, row, some).copy_(normalisedPixels(bytes.narrow(2, row, some)));
    });
    return pixels;
}

at::Tensor normalisedPixels(const at::Tensor& rgb) {
    return (rgb.to(at::kFloat) - 127) / 128;
}

} // namespace maskscope
