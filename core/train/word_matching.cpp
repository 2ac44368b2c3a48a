// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/word_matching.h"

#include "core/base/error.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <string>

namespace maskscope {
namespace {

/// Attention logit of a word and itself, above that of unlike words: enough to find it among a
/// hundred tokens, not so much that gradients vanish.
constexpr double kSharpness = 9;

at::Tensor tensorOf(const Weights& weights, const std::string& name) {
    for (const auto& [key, tensor] : weights.all())
        if (key == name)
            return tensor;
    throw Failure(ErrorKind::Internal, "The model has no tensor " + name + ".");
}

} // namespace

void primeWordMatching(const Weights& weights, const Lens& lens) {
    const at::NoGradGuard guard;
    const auto& config = lens.config().language;
    const auto half = config.headDim / 2, slow = half / 2; // pairs (i, i + half) turn together
    const auto count = std::min(2 * slow, std::int64_t(lens.config().classes.size()));
    auto words = lens.wordEmbeddings().narrow(0, 0, std::int64_t(lens.config().classes.size()));
    words = words / words.square().mean({1}, true).sqrt().clamp_min(1e-6); // as the norm does
    const auto differences = words - words.mean({0}, true);
    const auto directions
        = std::get<2>(at::linalg_svd(differences, /*full_matrices=*/false)).narrow(0, 0, count);

    // Mean square of what a word has along the directions, so that the logit is the sharpness.
    const auto projected = differences.matmul(directions.t());
    const double power = projected.square().sum(1).mean().item<double>();
    const double scale = std::sqrt(kSharpness * std::sqrt(double(config.headDim)) / power);
    auto head = at::zeros({config.headDim, config.width});
    for (std::int64_t i = 0; i < count; ++i) {
        const auto row = i < slow ? half - slow + i : config.headDim - slow + (i - slow);
        head[row].copy_(directions[i] * scale);
    }
    const std::string layer = "language.model.layers.0.self_attn.";
    tensorOf(weights, layer + "k_proj.weight").narrow(0, 0, config.headDim).copy_(head);
    const auto queries = tensorOf(weights, layer + "q_proj.weight");
    for (std::int64_t h = 0; h < config.heads / config.kvHeads; ++h)
        queries.narrow(0, h * config.headDim, config.headDim).copy_(head);
}

} // namespace maskscope
