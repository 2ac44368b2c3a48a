// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/peak_sum.h"
#include "core/model/vision_encoder.h"

#include <ATen/core/Tensor.h>

#include <stop_token>
#include <vector>

namespace maskscope {

/// The patches of a batch of images.
struct PatchFeatures {
    at::Tensor patches; ///< [B, P, C]
    at::Tensor classLogits; ///< [B, P, K + 2]: classes, background, unknown
};

/// From the encoder's channels to patches and their classes. Convolutional: linear in P, any size.
class PatchEmbedder {
public:
    /// Channels of joined(): stride 16 (112), head (1280), square roots of probabilities (1000).
    static constexpr std::int64_t kChannels = VisionEncoder::kDeepChannels;

    PatchEmbedder(Weights& weights, const LensConfig& config); ///< parameters "vision.*"

    /// [B, P, 2392], not yet standardised; what statistics are taken of.
    static at::Tensor joined(const VisionFeatures& features);

    /// (x - mean) / deviation per channel, with the parameters "vision.standard.mean" and
    /// "vision.standard.deviation" (start at 0 and 1; set from statistics, never trained).
    at::Tensor standardised(const at::Tensor& joined /*[..., 2392]*/) const;

    /// From standardised channels of a gridHeight x gridWidth grid.
    PatchFeatures forward(const at::Tensor& standardised /*[B, P, 2392]*/, std::int64_t gridHeight,
        std::int64_t gridWidth) const;

    /// The same from what the encoder saw. Without gradients the 2392 channels exist for some rows
    /// of patches at a time only.
    PatchFeatures forward(const VisionFeatures& features, const std::stop_token& stop = {}) const;

    /// The memory of the last on one image without gradients; patches and logits stay.
    void addPeak(PeakSum& sum, const SeenImage& seen) const;

    ~PatchEmbedder();
    PatchEmbedder(PatchEmbedder&&) noexcept;

private:
    struct Block;
    /// From projected channels [B, P, C] and what they add to the class logits [B, P, K + 2].
    PatchFeatures finish(const at::Tensor& projected, const at::Tensor& classLogits,
        std::int64_t gridHeight, std::int64_t gridWidth, const std::stop_token& stop) const;

    at::Tensor m_mean; ///< [2392]
    at::Tensor m_deviation; ///< [2392]
    Linear m_project;
    LayerNorm m_norm;
    std::vector<Block> m_blocks;
    Linear m_classOfPatch; ///< C -> K + 2
    Linear m_classOfChannels; ///< 2392 -> K + 2, no bias
};

} // namespace maskscope
