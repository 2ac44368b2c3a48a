// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/prompt_maps.h"

#include "core/base/shape.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace maskscope {

namespace {

/// Places of one direction, in units of a place: centres 0.5, 1.5, …
at::Tensor centres(std::int64_t count) {
    return at::arange(count, at::kFloat) + 0.5;
}

/// A row and a column profile [h], [w] as their product [h, w].
at::Tensor product(const at::Tensor& rows, const at::Tensor& columns) {
    return rows.unsqueeze(1) * columns.unsqueeze(0);
}

/// Raises `map` [h, w] to the tent around each click of this sign.
void drawPoints(const at::Tensor& map, const std::vector<PointPrompt>& points, PointSign sign) {
    const auto height = map.size(0), width = map.size(1);
    for (const auto& point : points) {
        if (point.sign != sign)
            continue;
        // At the rim the tent of a click would lie half outside: the click moves to the nearest
        // centre.
        const double x = std::clamp(point.x * double(width), 0.5, double(width) - 0.5);
        const double y = std::clamp(point.y * double(height), 0.5, double(height) - 0.5);
        const auto tent = product((1 - (centres(height) - y).abs()).clamp_min(0),
            (1 - (centres(width) - x).abs()).clamp_min(0));
        map.copy_(at::maximum(map, tent));
    }
}

/// How much of each of `count` places lies between low and high (0..1).
at::Tensor covered(std::int64_t count, double low, double high) {
    const auto starts = at::arange(count, at::kFloat);
    return ((starts + 1).clamp_max(high * double(count)) - starts.clamp_min(low * double(count)))
        .clamp(0, 1);
}

at::Tensor boxCover(const BoxPrompt& box, std::int64_t height, std::int64_t width) {
    return product(covered(height, box.y0, box.y1), covered(width, box.x0, box.x1));
}

/// Distance of each place to the box's nearest edge in places, positive inside, within -4..4,
/// over 4.
at::Tensor edgeDistance(const BoxPrompt& box, std::int64_t height, std::int64_t width) {
    const auto along = [](std::int64_t count, double low, double high) {
        const auto at = centres(count);
        return at::minimum(at - low * double(count), high * double(count) - at);
    };
    return at::minimum(along(height, box.y0, box.y1).unsqueeze(1),
               along(width, box.x0, box.x1).unsqueeze(0))
               .clamp(-4, 4)
        / 4;
}

} // namespace

PromptMaps promptMaps(
    const std::vector<ObjectPrompt>& prompts, std::int64_t gridHeight, std::int64_t gridWidth) {
    const auto N = std::int64_t(prompts.size());
    const auto height4 = 4 * gridHeight, width4 = 4 * gridWidth;
    PromptMaps maps{at::zeros({N, 5, gridHeight, gridWidth}, at::kFloat),
        at::zeros({N, 4, height4, width4}, at::kFloat), at::zeros({N, 4}, at::kFloat)};
    for (std::int64_t n = 0; n < N; ++n) {
        const auto& prompt = prompts[std::size_t(n)];
        const auto map16 = maps.maps16[n], map4 = maps.maps4[n];
        for (const auto& map : {map16, map4}) {
            drawPoints(map[0], prompt.points, PointSign::Positive);
            drawPoints(map[1], prompt.points, PointSign::Negative);
        }
        if (prompt.box) {
            map16[2].copy_(boxCover(*prompt.box, gridHeight, gridWidth));
            map16[3].copy_(edgeDistance(*prompt.box, gridHeight, gridWidth));
            map4[2].copy_(boxCover(*prompt.box, height4, width4));
            maps.boxes[n].copy_(at::tensor({float(prompt.box->x0), float(prompt.box->y0),
                float(prompt.box->x1), float(prompt.box->y1)}));
        }
        if (prompt.previous.defined()) {
            expectShape(prompt.previous, {8 * gridHeight, 8 * gridWidth}, "previous");
            const auto probability = at::sigmoid(prompt.previous.to(at::kFloat))
                                         .view({1, 1, 8 * gridHeight, 8 * gridWidth});
            map16[4].copy_(at::avg_pool2d(probability, 8)[0][0]);
            map4[3].copy_(at::avg_pool2d(probability, 2)[0][0]);
        }
    }
    return maps;
}

} // namespace maskscope
