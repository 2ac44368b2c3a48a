// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/patch_embedder.h"

#include "core/base/shape.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/sqrt.h>

namespace maskscope {

namespace {

/// [gh * gw, width]: sinusoids of each patch's place in the image, the same at any size.
at::Tensor places(std::int64_t gridHeight, std::int64_t gridWidth, std::int64_t width,
    const at::TensorOptions& options) {
    constexpr double kScale = 32, kBase = 1000;
    const auto along = [&](std::int64_t count) {
        const auto centres = (at::arange(count, options.dtype(at::kFloat)) + 0.5) / double(count);
        return sinusoids(centres * kScale, width / 2, kBase);
    };
    const auto rows = along(gridHeight).unsqueeze(1).expand({gridHeight, gridWidth, width / 2});
    const auto columns = along(gridWidth).unsqueeze(0).expand({gridHeight, gridWidth, width / 2});
    return at::cat({rows, columns}, -1)
        .reshape({gridHeight * gridWidth, width})
        .to(options.dtype());
}

} // namespace

/// ConvNeXt's block (Liu et al. 2022): x + mlp(norm(depthwise(x))).
struct PatchEmbedder::Block {
    Block(Weights& weights, const std::string& name, std::int64_t width)
        : mix(weights, name + ".mix", width, width, 7, width)
        , norm(weights, name + ".norm", width)
        , mlp(weights, name + ".mlp", width, 2 * width, width) { }

    at::Tensor operator()(const at::Tensor& x /*[B, gh, gw, C]*/) const {
        const auto mixed = mix(x.permute({0, 3, 1, 2})).permute({0, 2, 3, 1});
        return x + mlp(norm(mixed));
    }

    Convolution mix;
    LayerNorm norm;
    Mlp mlp;
};

PatchEmbedder::PatchEmbedder(Weights& weights, const LensConfig& config)
    : m_mean(weights.take("vision.standard.mean", {kChannels}, Init::zeros()))
    , m_deviation(weights.take("vision.standard.deviation", {kChannels}, Init::ones()))
    , m_project(weights, "vision.project", kChannels, config.vision.width)
    , m_norm(weights, "vision.norm", config.vision.width)
    , m_classOfPatch(weights, "vision.class_of_patch", config.vision.width, config.classCount())
    , m_classOfChannels(
          weights, "vision.class_of_channels", kChannels, config.classCount(), Bias::Without) {
    for (std::int64_t i = 0; i < config.vision.blocks; ++i)
        m_blocks.emplace_back(weights, "vision.blocks." + std::to_string(i), config.vision.width);
}

PatchEmbedder::~PatchEmbedder() = default;
PatchEmbedder::PatchEmbedder(PatchEmbedder&&) noexcept = default;

at::Tensor PatchEmbedder::joined(const VisionFeatures& features) {
    const auto rows = [](const at::Tensor& x) {
        return x.permute({0, 2, 3, 1}).flatten(1, 2);
    }; // [B, P, c]
    return at::cat(
        {rows(features.stride16), rows(features.head), at::sqrt(rows(features.probabilities))}, -1);
}

at::Tensor PatchEmbedder::standardised(const at::Tensor& joined) const {
    return (joined - m_mean) / m_deviation;
}

PatchFeatures PatchEmbedder::forward(
    const at::Tensor& standardised, std::int64_t gridHeight, std::int64_t gridWidth) const {
    const auto batch = standardised.size(0), width = m_project.weight.size(0);
    expectShape(standardised, {kAny, gridHeight * gridWidth, kChannels}, "standardised");
    auto x = m_norm(m_project(standardised));
    x = x + places(gridHeight, gridWidth, width, x.options());
    x = x.view({batch, gridHeight, gridWidth, width});
    for (const auto& block : m_blocks)
        x = block(x);
    PatchFeatures features;
    features.patches = x.reshape({batch, gridHeight * gridWidth, width});
    features.classLogits = m_classOfPatch(features.patches) + m_classOfChannels(standardised);
    return features;
}

} // namespace maskscope
