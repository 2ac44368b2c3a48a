// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/example.h"

#include "core/model/pixels.h"

#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>

namespace maskscope {
namespace {

/// Centre and size of the ones as shares of the picture; false when there are none.
bool boxOf(
    const std::vector<std::uint8_t>& mask, std::int64_t width, std::int64_t height, float* box) {
    std::int64_t x0 = width, y0 = height, x1 = -1, y1 = -1;
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            if (mask[static_cast<std::size_t>(y * width + x)] != 0) {
                x0 = std::min(x0, x);
                x1 = std::max(x1, x);
                y0 = std::min(y0, y);
                y1 = std::max(y1, y);
            }
    if (x1 < 0)
        return false;
    const auto share = [](std::int64_t amount, std::int64_t of) {
        return static_cast<float>(amount) / static_cast<float>(of);
    };
    box[0] = share(x0 + x1 + 1, 2 * width);
    box[1] = share(y0 + y1 + 1, 2 * height);
    box[2] = share(x1 + 1 - x0, width);
    box[3] = share(y1 + 1 - y0, height);
    return true;
}

} // namespace

at::Tensor pixelsOf(std::span<const Example> examples) {
    const auto& first = examples.front().scene.image;
    const auto batch = std::int64_t(examples.size());
    auto bytes = at::empty({batch, first.height, first.width, 3}, at::kByte);
    auto* to = bytes.mutable_data_ptr<std::uint8_t>();
    for (const auto& example : examples) {
        const auto& rgb = example.scene.image.rgb;
        std::memcpy(to, rgb.data(), rgb.size());
        to += rgb.size();
    }
    return normalisedPixels(bytes).permute({0, 3, 1, 2}).contiguous();
}

at::Tensor patchClassesOf(std::span<const Example> examples) {
    const auto& first = examples.front().scene;
    const std::int64_t patches = std::int64_t(first.patchRows()) * first.patchColumns();
    auto classes = at::empty({std::int64_t(examples.size()), patches}, at::kLong);
    auto* to = classes.mutable_data_ptr<std::int64_t>();
    for (const auto& example : examples)
        to = std::copy(example.scene.patchClasses.begin(), example.scene.patchClasses.end(), to);
    return classes;
}

MaskTargets maskTargets(
    const std::vector<std::vector<std::uint8_t>>& masks, std::int64_t width, std::int64_t height) {
    const auto count = std::int64_t(masks.size());
    MaskTargets targets;
    auto whole = at::empty({count, 1, height, width});
    targets.boxes = at::zeros({count, 4});
    targets.boxWeights = at::zeros({count});
    auto* to = whole.mutable_data_ptr<float>();
    for (std::int64_t n = 0; n < count; ++n) {
        const auto& mask = masks[static_cast<std::size_t>(n)];
        to = std::transform(
            mask.begin(), mask.end(), to, [](std::uint8_t bit) { return bit != 0 ? 1.0F : 0.0F; });
        if (boxOf(mask, width, height, targets.boxes.mutable_data_ptr<float>() + 4 * n))
            targets.boxWeights.mutable_data_ptr<float>()[n] = 1;
    }
    if (count == 0) {
        targets.half = at::zeros({0, height / 2, width / 2});
        targets.patches = at::zeros({0, height / 16 * (width / 16)});
        return targets;
    }
    targets.half = at::avg_pool2d(whole, {2, 2}).squeeze(1);
    targets.patches = at::avg_pool2d(whole, {16, 16}).flatten(1);
    return targets;
}

} // namespace maskscope
