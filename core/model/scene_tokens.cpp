// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scene_tokens.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/topk.h>

#include <algorithm>

namespace maskscope {

namespace {

constexpr std::int64_t kFacts = 8;
constexpr std::int64_t kMeanX = 4; ///< among the facts
constexpr double kPieces = 0.2; ///< scale: five pieces are 1

at::Tensor least(const at::Tensor& x, std::int64_t dimension) {
    const auto length = x.size(dimension);
    return at::minimum(x.narrow(dimension, 0, length - 1), x.narrow(dimension, 1, length - 1));
}

at::Tensor total(const at::Tensor& x) {
    return x.sum({-2, -1});
}

/// Connected pieces minus holes of a picture of 0 and 1, and a smooth continuation of it.
at::Tensor euler(const at::Tensor& x /*[..., gh, gw]*/) {
    return total(x) - total(least(x, -1)) - total(least(x, -2)) + total(least(least(x, -1), -2));
}

/// Mean and deviation of places 0..1 along a dimension, weighted by `x`.
std::pair<at::Tensor, at::Tensor> place(const at::Tensor& x, std::int64_t dimension) {
    const auto length = x.size(dimension);
    const auto at = (at::arange(length, x.options()) + 0.5) / double(length);
    const auto line = x.sum(dimension == -1 ? -2 : -1); // [..., length]
    const auto share = line / line.sum({-1}, true).clamp_min(1e-6);
    const auto mean = (share * at).sum(-1);
    const auto variance = (share * at * at).sum(-1) - mean * mean;
    return {mean, at::sqrt(variance.clamp_min(0) + 1e-6)};
}

} // namespace

at::Tensor factsOf(const at::Tensor& maps) {
    const auto [x, spreadX] = place(maps, -1);
    const auto [y, spreadY] = place(maps, -2);
    const auto sure = maps.gt(1.0 / 3).to(maps.scalar_type());
    return at::stack({maps.amax({-2, -1}), at::sqrt(maps.mean({-2, -1}) + 1e-8),
                         euler(maps) * kPieces, euler(sure) * kPieces, x, y, spreadX, spreadY},
        -1);
}

SceneTokens::SceneTokens(Weights& weights, const LensConfig& config)
    : m_classes(std::int64_t(config.classes.size()))
    , m_scene(weights, "projector.scene", 2 * config.classCount(), config.language.width)
    , m_found(weights, "projector.found", kFacts, config.language.width) { }

at::Tensor SceneTokens::forward(const at::Tensor& probabilities, const at::Tensor& words,
    std::int64_t gridHeight, std::int64_t gridWidth) const {
    const auto B = probabilities.size(0), P = probabilities.size(1);
    const auto peaks = probabilities.amax({1}); // [B, K + 2]
    const auto scene = m_scene(at::cat({peaks, at::sqrt(probabilities.mean({1}) + 1e-8)}, -1));

    const auto count = std::min(kClassTokens, m_classes);
    const auto likely = std::get<1>(at::topk(peaks.narrow(1, 0, m_classes), count)); // [B, n]
    const auto maps = at::gather(probabilities, 2, likely.unsqueeze(1).expand({B, P, count}))
                          .transpose(1, 2)
                          .reshape({B, count, gridHeight, gridWidth});
    const auto facts = factsOf(maps); // [B, n, 8]
    const auto tokens = at::embedding(words, likely) + m_found(facts);
    const auto order = at::argsort(facts.select(-1, kMeanX), /*stable=*/true); // left to right
    const auto places = order.unsqueeze(-1).expand({B, count, tokens.size(2)});
    return at::cat({scene.unsqueeze(1), at::gather(tokens, 1, places)}, 1);
}

} // namespace maskscope
