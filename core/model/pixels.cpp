// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pixels.h"

#include "core/base/pieces.h"
#include "core/image/resize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cmath>

namespace maskscope {

ModelSize modelSize(std::int64_t width, std::int64_t height, std::int64_t mostPixels) {
    constexpr std::int64_t kStep = 32;
    const double scale = std::sqrt(double(mostPixels) / (double(width) * double(height)));
    const auto most = std::max<std::int64_t>(1, mostPixels / (kStep * kStep));
    const double wide = std::max(1.0, double(width) * scale / kStep);
    // Among the two nearest columns counts and the row counts that fit them, the one whose aspect
    // is nearest; among equals, the larger.
    ModelSize best;
    double bestError = 0;
    for (const double candidate : {std::floor(wide), std::ceil(wide)}) {
        const auto columns = std::clamp<std::int64_t>(std::int64_t(candidate), 1, most);
        const double ideal = double(columns) * double(height) / double(width);
        const auto rows = std::clamp<std::int64_t>(
            std::int64_t(std::lround(ideal)), 1, std::max<std::int64_t>(1, most / columns));
        const double stretch = std::abs(std::log(double(rows) / ideal));
        const double loss = std::log(double(most) / double(rows * columns));
        const double error = stretch + 0.5 * loss;
        if (best.width == 0 || error < bestError) {
            best = {columns * kStep, rows * kStep};
            bestError = error;
        }
    }
    return best;
}

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
