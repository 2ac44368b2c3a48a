// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/object_namer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/log.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sqrt.h>

namespace maskscope {

namespace {

constexpr std::int64_t kWidth = 256;
constexpr double kSmallGain = 0.1; ///< at first the patches decide
constexpr double kLeast = 1e-4; ///< probability that a logarithm is taken of

} // namespace

ObjectNamer::ObjectNamer(Weights& weights, const LensConfig& config)
    : m_channels(weights, "vision.namer.channels", PatchEmbedder::kChannels, kWidth)
    , m_patches(weights, "vision.namer.patches", config.vision.width, kWidth, Bias::Without)
    , m_size(weights, "vision.namer.size", 2, kWidth, Bias::Without)
    , m_norm(weights, "vision.namer.norm", kWidth)
    , m_out(weights, "vision.namer.out", kWidth, config.classCount(), Bias::With, kSmallGain) { }

at::Tensor ObjectNamer::operator()(const FoundObjects& found, const VisionFeatures& features,
    const at::Tensor& patches, const PatchEmbedder& embedder) const {
    const auto shares = found.maps / found.maps.sum({2}, true).clamp_min(1e-3); // [B, M, P]
    const auto mean = [&](const at::Tensor& channels /*[B, c, gh, gw]*/) {
        return at::bmm(shares, channels.flatten(2).transpose(1, 2)); // [B, M, c]
    };
    const auto channels
        = embedder.standardised(at::cat({mean(features.stride16), mean(features.head),
                                            at::sqrt(mean(features.probabilities).clamp_min(1e-8))},
            -1));
    const auto sizes = at::log(found.boxes.narrow(2, 2, 2).clamp_min(1e-2)); // [B, M, 2]
    const auto whole = m_channels(channels) + m_patches(at::bmm(shares, patches)) + m_size(sizes);
    return at::softmax(at::log(found.classes + kLeast) + m_out(at::gelu(m_norm(whole))), -1);
}

} // namespace maskscope
