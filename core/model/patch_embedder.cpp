// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/patch_embedder.h"

#include "core/base/cancelled.h"
#include "core/base/pieces.h"
#include "core/base/shape.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sqrt.h>
#include <c10/core/GradMode.h>

#include <algorithm>

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

/// Rows of a grid, of so many patches each, that are about a thousand patches.
std::int64_t rowsOf(std::int64_t patches) {
    return std::max<std::int64_t>(1, 1024 / patches);
}

} // namespace

/// ConvNeXt's block (Liu et al. 2022): x + mlp(norm(depthwise(x))).
struct PatchEmbedder::Block {
    Block(Weights& weights, const std::string& name, std::int64_t width)
        : mix(weights, name + ".mix", width, width, 7, width)
        , norm(weights, name + ".norm", width)
        , mlp(weights, name + ".mlp", width, 2 * width, width) { }

    at::Tensor operator()(
        const at::Tensor& x /*[B, gh, gw, C]*/, const std::stop_token& stop) const {
        throwIfStopped(stop);
        const auto mixed = mix(x.permute({0, 3, 1, 2})).permute({0, 2, 3, 1});
        if (mixed.requires_grad())
            return x + mlp(norm(mixed));
        auto sum = x.clone();
        inPieces(x.size(1), rowsOf(x.size(0) * x.size(2)), stop,
            [&](std::int64_t row, std::int64_t some) {
                sum.narrow(1, row, some).add_(mlp(norm(mixed.narrow(1, row, some))));
            });
        return sum;
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
    expectShape(standardised, {kAny, gridHeight * gridWidth, kChannels}, "standardised");
    return finish(
        m_project(standardised), m_classOfChannels(standardised), gridHeight, gridWidth, {});
}

PatchFeatures PatchEmbedder::forward(
    const VisionFeatures& features, const std::stop_token& stop) const {
    const auto B = features.head.size(0), gh = features.gridHeight, gw = features.gridWidth;
    if (c10::GradMode::is_enabled()
        && (m_project.weight.requires_grad() || features.head.requires_grad()))
        return forward(standardised(joined(features)), gh, gw);
    const auto options = features.head.options();
    const auto projected = at::empty({B, gh * gw, m_project.weight.size(0)}, options);
    const auto classLogits = at::empty({B, gh * gw, m_classOfPatch.weight.size(0)}, options);
    inPieces(gh, rowsOf(B * gw), stop, [&](std::int64_t row, std::int64_t some) {
        VisionFeatures piece;
        piece.stride16 = features.stride16.narrow(2, row, some);
        piece.head = features.head.narrow(2, row, some);
        piece.probabilities = features.probabilities.narrow(2, row, some);
        const auto channels = standardised(joined(piece));
        projected.narrow(1, row * gw, some * gw).copy_(m_project(channels));
        classLogits.narrow(1, row * gw, some * gw).copy_(m_classOfChannels(channels));
    });
    return finish(projected, classLogits, gh, gw, stop);
}

PatchFeatures PatchEmbedder::finish(const at::Tensor& projected, const at::Tensor& classLogits,
    std::int64_t gridHeight, std::int64_t gridWidth, const std::stop_token& stop) const {
    const auto B = projected.size(0), P = projected.size(1), C = projected.size(2);
    auto x = m_norm(projected) + places(gridHeight, gridWidth, C, projected.options());
    x = x.view({B, gridHeight, gridWidth, C});
    for (const auto& block : m_blocks)
        x = block(x, stop);
    PatchFeatures features;
    features.patches = x.reshape({B, P, C});
    features.classLogits = m_classOfPatch(features.patches) + classLogits;
    return features;
}

void PatchEmbedder::addPeak(PeakSum& sum, const SeenImage& seen) const {
    constexpr std::int64_t kFloat = 4; // bytes
    const auto P = seen.patches(), C = m_project.weight.size(0), K2 = m_classOfPatch.weight.size(0);
    const auto piece = std::min(seen.gridHeight, rowsOf(seen.gridWidth)) * seen.gridWidth;
    sum.take((C + K2) * P); // projected, and its logits
    sum.pass(3 * kChannels * piece); // joined, minus the mean, over the deviation
    sum.passBytes(C * P * (kFloat + 3 * sum.elementBytes())); // places, normal and the sum
    sum.take(C * P); // x
    for (std::size_t i = 0; i < m_blocks.size(); ++i)
        sum.pass(2 * C * P + 6 * C * piece); // mixed and sum, and norm, MLP of a piece
    sum.pass(2 * K2 * P);
    sum.give(C * P);
}

} // namespace maskscope
