// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/object_finder.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <array>
#include <vector>

namespace maskscope {

namespace {

constexpr std::int64_t kChannels8 = 32;
constexpr std::int64_t kMostPeaks = 64; ///< that are looked at
constexpr float kLeastScore = 0.1F;
constexpr float kSameObject = 0.5F; ///< IoU of two boxes of one object
constexpr double kReach = 0.4; ///< of votes around a centre, in sizes of the object
constexpr double kLeastLength = 1; ///< patches, of an object's size where it sets the reach
constexpr double kMostLogSize = 5;

/// A peak in units of patches.
struct Peak {
    float score, x, y, width, height;
};

float overlap(const Peak& a, const Peak& b) {
    const auto along = [](float p, float length, float q, float otherLength) {
        return std::max(0.0F,
            std::min(p + length / 2, q + otherLength / 2)
                - std::max(p - length / 2, q - otherLength / 2));
    };
    const float shared = along(a.x, a.width, b.x, b.width) * along(a.y, a.height, b.y, b.height);
    return shared / (a.width * a.height + b.width * b.height - shared);
}

/// Peaks of one image, best first, none of one object twice, then from left to right.
std::vector<Peak> peaksOf(const at::Tensor& score /*[2gh, 2gw]*/,
    const at::Tensor& sizes /*[P, 2]*/, std::int64_t gridWidth) {
    const auto width = score.size(1), count = std::min(kMostPeaks, score.numel());
    const auto highest = at::max_pool2d(score.view({1, 1, -1, width}), 3, 1, 1).view_as(score);
    const auto alone = at::where(score.eq(highest), score, at::zeros_like(score)).flatten();
    const auto [best, places] = at::topk(alone, count);
    const auto scores = best.cpu(), at = places.cpu(), lengths = sizes.exp().cpu();
    const auto* value = scores.const_data_ptr<float>();
    const auto* place = at.const_data_ptr<std::int64_t>();
    const auto length = lengths.accessor<const float, 2>();
    std::vector<Peak> peaks;
    for (std::int64_t i = 0; i < count && std::int64_t(peaks.size()) < FoundObjects::kMost; ++i) {
        if (value[i] < kLeastScore)
            break;
        const auto row = place[i] / width, column = place[i] % width;
        const auto patch = row / 2 * gridWidth + column / 2;
        const Peak peak{value[i], (float(column) + 0.5F) / 2, (float(row) + 0.5F) / 2,
            length[patch][0], length[patch][1]};
        if (std::ranges::none_of(
                peaks, [&](const Peak& other) { return overlap(peak, other) > kSameObject; }))
            peaks.push_back(peak);
    }
    std::ranges::stable_sort(peaks, {}, &Peak::x);
    return peaks;
}

/// The same of a batch: [B, M, 5] score, x, y, width and height, rows of zeros behind the last.
at::Tensor peaksOf(const ObjectMaps& maps, std::int64_t gridWidth) {
    const auto score = at::sigmoid(maps.centres.to(at::kFloat));
    const auto sizes = maps.sizes.to(at::kFloat);
    auto peaks = at::zeros({score.size(0), FoundObjects::kMost, 5}, at::kFloat);
    for (std::int64_t b = 0; b < score.size(0); ++b) {
        auto* row = peaks.mutable_data_ptr<float>() + b * FoundObjects::kMost * 5;
        for (const auto& p : peaksOf(score[b], sizes[b], gridWidth))
            row = std::ranges::copy(std::array{p.score, p.x, p.y, p.width, p.height}, row).out;
    }
    return peaks;
}

/// Middles of patches: [P, 2] x and y.
at::Tensor middles(std::int64_t gridHeight, std::int64_t gridWidth, at::TensorOptions options) {
    const auto number = at::arange(gridHeight * gridWidth, options.dtype(at::kLong));
    const auto columns = number.remainder(gridWidth);
    const auto rows = (number - columns).div(gridWidth, "floor");
    return at::stack({columns, rows}, 1).to(at::kFloat) + 0.5;
}

} // namespace

ObjectFinder::ObjectFinder(Weights& weights, const LensConfig& config)
    : m_norm(weights, "vision.objects.norm", config.vision.width)
    , m_to8(weights, "vision.objects.to8", config.vision.width, 4 * kChannels8)
    , m_norm8(weights, "vision.objects.norm8", 40)
    , m_skip8(weights, "vision.objects.skip8", 40, kChannels8)
    , m_smooth(weights, "vision.objects.smooth", kChannels8, kChannels8, 3)
    , m_centre(weights, "vision.objects.centre", kChannels8, 1)
    , m_place(weights, "vision.objects.place", config.vision.width, 4) { }

ObjectMaps ObjectFinder::maps(const VisionFeatures& features, const at::Tensor& patches) const {
    const auto B = patches.size(0), gh = features.gridHeight, gw = features.gridWidth;
    const auto normal = m_norm(patches);
    const auto wide = m_to8(normal)
                          .view({B, gh, gw, 2, 2, kChannels8})
                          .permute({0, 1, 3, 2, 4, 5})
                          .reshape({B, 2 * gh, 2 * gw, kChannels8});
    const auto at8 = at::gelu(wide + m_skip8(m_norm8(features.stride8.permute({0, 2, 3, 1}))));
    const auto smooth = at::gelu(m_smooth(at8.permute({0, 3, 1, 2})).permute({0, 2, 3, 1}));
    const auto place = m_place(normal);
    // Centres are rare: the bias starts every place at a probability of one in a hundred.
    return {m_centre(smooth).squeeze(-1) - 4.6, place.narrow(-1, 0, 2) * 2,
        place.narrow(-1, 2, 2).clamp_max(kMostLogSize)};
}

void ObjectFinder::addPeak(PeakSum& sum, const SeenImage& seen) const {
    const auto P = seen.patches(), C = m_place.weight.size(1), places = 4 * P;
    const auto channels = m_skip8.weight.size(1);
    const auto kept = C * P + kChannels8 * places; // normal, wide
    sum.take(kept);
    sum.pass((channels + 3 * kChannels8) * places); // norm, skip, sum and GELU
    sum.give(kept);
    sum.take(places + 4 * P); // centres; votes and sizes
}

FoundObjects findObjects(const ObjectMaps& maps, const at::Tensor& probabilities,
    std::int64_t gridHeight, std::int64_t gridWidth) {
    const auto K2 = probabilities.size(2);
    FoundObjects found;
    {
        const at::NoGradGuard guard;
        const auto peaks = peaksOf(maps, gridWidth).to(probabilities.device()); // [B, M, 5]
        const auto centres = peaks.narrow(2, 1, 2), lengths = peaks.narrow(2, 3, 2);
        const auto grid = at::tensor({float(gridWidth), float(gridHeight)}, centres.options());
        const auto reach = kReach * lengths.prod(2).sqrt().clamp_min(kLeastLength); // [B, M]
        const auto voted
            = middles(gridHeight, gridWidth, centres.options()) + maps.votes.to(at::kFloat);
        const auto away = (voted.unsqueeze(1) - centres.unsqueeze(2)).square().sum(-1); // [B, M, P]
        const auto object = 1 - probabilities.select(2, K2 - 2).to(at::kFloat); // not background
        const auto close = at::exp(-away / reach.square().unsqueeze(2)) * object.unsqueeze(1)
            * peaks.narrow(2, 0, 1).gt(0);
        const auto type = probabilities.scalar_type();
        found.scores = peaks.select(2, 0).to(type);
        found.boxes = at::cat({centres / grid, lengths / grid}, 2).to(type);
        found.maps = (close / close.sum({1}, true).clamp_min(1)).to(type);
    }
    found.classes = at::bmm(found.maps, probabilities) / found.maps.sum({2}, true).clamp_min(1e-3);
    return found;
}

} // namespace maskscope
