// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scene_tokens.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

namespace maskscope {

namespace {

constexpr std::int64_t kFacts = 10;
constexpr std::int64_t kTraits = 12; ///< of an object, see traitsOf
constexpr double kPieces = 0.2; ///< scale: five pieces or objects are 1

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

/// Score, box, root of the area, colour, and how surely it is of a class, unknown, background.
at::Tensor traitsOf(const FoundObjects& found, const at::Tensor& colours /*[B, M, 3]*/) {
    const auto K = found.classes.size(2) - 2;
    const auto area = at::sqrt(found.maps.mean({2}, true) + 1e-8); // [B, M, 1]
    const auto sure = found.classes.narrow(2, 0, K).amax({2}, true);
    return at::cat({found.scores.unsqueeze(-1), found.boxes, area, colours, sure,
                       found.classes.narrow(2, K, 2)},
        -1); // [B, M, kTraits]
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
    , m_place(weights, "projector.object.traits", kTraits, config.language.width)
    , m_look(weights, "projector.object.look", config.language.width, config.language.width,
          Bias::Without, 0.5)
    , m_nothing(
          weights.take("projector.object.nothing", {config.language.width}, Init::normal(0.5)))
    , m_names(weights, "projector.names", config.language.width, m_classes + 1)
    , m_told(weights, "projector.told", kFacts + 1, config.language.width, Bias::Without, 0.5) { }

at::Tensor SceneTokens::facts(const at::Tensor& probabilities, const FoundObjects& found,
    std::int64_t gridHeight, std::int64_t gridWidth) const {
    const auto named = probabilities.narrow(2, 0, m_classes).transpose(1, 2); // [B, K, P]
    const auto maps = named.reshape({named.size(0), m_classes, gridHeight, gridWidth});
    const auto each = (found.classes.narrow(2, 0, m_classes) * found.scores.unsqueeze(2));
    const auto objects = at::stack({each.sum({1}) * kPieces, each.amax({1})}, -1); // [B, K, 2]
    return at::cat({factsOf(maps), objects}, -1);
}

at::Tensor SceneTokens::scene(const at::Tensor& probabilities) const {
    const auto most = probabilities.amax({1}), mean = probabilities.mean({1});
    return m_scene(at::cat({most, at::sqrt(mean + 1e-8)}, -1)).unsqueeze(1);
}

at::Tensor SceneTokens::objects(const FoundObjects& found, const at::Tensor& patches,
    const at::Tensor& colours, const at::Tensor& words) const {
    const auto there = found.scores.gt(0).unsqueeze(-1); // [B, M, 1]
    const auto shares = found.maps / found.maps.sum({2}, true).clamp_min(1e-3); // [B, M, P]
    const auto traits = traitsOf(found, at::bmm(shares, colours));
    const auto token
        = at::matmul(found.classes, words) + m_place(traits) + m_look(at::bmm(shares, patches));
    return at::where(there, token, m_nothing);
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
