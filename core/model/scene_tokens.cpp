// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scene_tokens.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/topk.h>

#include <algorithm>

namespace maskscope {

namespace {

constexpr std::int64_t kFacts = 8;
constexpr std::int64_t kPeak = 0, kMeanX = 4; ///< among the facts
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
    , m_found(weights, "projector.found", kFacts, config.language.width)
    , m_names(weights, "projector.names", config.language.width, m_classes + 1)
    , m_told(weights, "projector.told", kFacts + 1, config.language.width, Bias::Without, 0.5) { }

at::Tensor SceneTokens::facts(
    const at::Tensor& probabilities, std::int64_t gridHeight, std::int64_t gridWidth) const {
    const auto named = probabilities.narrow(2, 0, m_classes).transpose(1, 2); // [B, K, P]
    return factsOf(named.reshape({named.size(0), m_classes, gridHeight, gridWidth}));
}

at::Tensor SceneTokens::forward(
    const at::Tensor& probabilities, const at::Tensor& facts, const at::Tensor& words) const {
    const auto B = probabilities.size(0), count = std::min(kClassTokens, m_classes);
    const auto scene
        = m_scene(at::cat({probabilities.amax({1}), at::sqrt(probabilities.mean({1}) + 1e-8)}, -1));
    const auto likely = std::get<1>(at::topk(facts.select(-1, kPeak), count)); // [B, n]
    const auto of = [&](const at::Tensor& x /*[B, ., W]*/, const at::Tensor& places /*[B, n]*/) {
        return at::gather(x, 1, places.unsqueeze(-1).expand({B, count, x.size(2)}));
    };
    const auto found = of(facts, likely);
    const auto tokens = at::embedding(words, likely) + m_found(found);
    const auto order = at::argsort(found.select(-1, kMeanX), /*stable=*/true); // left to right
    return at::cat({scene.unsqueeze(1), of(tokens, order)}, 1);
}

at::Tensor SceneTokens::nameLogits(const at::Tensor& embedded) const {
    return m_names(embedded);
}

at::Tensor SceneTokens::told(const at::Tensor& embedded, const at::Tensor& facts) const {
    const auto named = at::softmax(m_names(embedded), -1).narrow(-1, 0, m_classes); // [B, T, K]
    const auto known = at::cat({facts, at::ones_like(facts.narrow(-1, 0, 1))}, -1);
    return embedded + m_told(at::matmul(named, known));
}

} // namespace maskscope
