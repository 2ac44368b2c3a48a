// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/vision_encoder.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <stop_token>
#include <utility>

namespace maskscope {

struct DecoderImage;
struct MaskQuery;

/// From the decoder's patches (stride 16) to mask logits at stride 2: twice the resolution is
/// doubled by pixel shuffle, joined with what the encoder saw there, and smoothed by 3 x 3
/// convolutions.
class MaskHead {
public:
    MaskHead(Weights& weights, const LensConfig& config); ///< parameters "mask.head.*"

    at::Tensor skip8(const VisionFeatures& features) const; ///< [B, 64, 2gh, 2gw]
    at::Tensor skip4(const VisionFeatures& features,
        const std::stop_token& stop = {}) const; ///< [B, 32, 4gh, 4gw]

    /// x [N, P, C2] patches after the last block, asked [N, C2] queries; gives [N, 1, 8gh, 8gw].
    /// Without gradients, by bands of patches.
    at::Tensor logits(const at::Tensor& x, const at::Tensor& asked, const DecoderImage& image,
        const MaskQuery& query, const std::stop_token& stop) const;

    /// Predicted IoU [N] and box [N, 4] of a mask from what its patches hold. Gradients do not flow
    /// into the logits.
    std::pair<at::Tensor, at::Tensor> judge(const at::Tensor& x, const at::Tensor& asked,
        const at::Tensor& logits /*[N, 1, 8gh, 8gw]*/) const;

    /// The memory of skip8() and skip4() on one image; both stay.
    void addSkipsPeak(PeakSum& sum, const SeenImage& seen) const;
    /// The memory of logits() of one query, and what judge() takes; the logits stay.
    void addLogitsPeak(PeakSum& sum, const SeenImage& seen) const;

private:
    /// `some` rows of patches from `row` on; right but for the rows at cut edges.
    at::Tensor band(const at::Tensor& x, const at::Tensor& asked, const DecoderImage& image,
        const MaskQuery& query, std::int64_t row, std::int64_t some) const;

    LayerNorm m_norm; ///< C2
    Linear m_to8; ///< C2 -> 4 * 64
    LayerNorm m_norm8; ///< stride-8 channels
    Linear m_skip8; ///< 40 -> 64
    Convolution m_smooth8; ///< 64 -> 64
    Linear m_to4; ///< 64 -> 4 * 32
    LayerNorm m_norm4; ///< stride-4 channels
    Linear m_skip4; ///< 24 + 48 -> 32
    Linear m_prompt4; ///< 4 maps -> 32
    Linear m_modulate; ///< C2 -> 2 * 32
    Convolution m_smooth4a; ///< 32 -> 32
    Convolution m_smooth4b; ///< 32 -> 32
    Linear m_out; ///< 32 -> 4
    Mlp m_judge; ///< 3 * C2 -> 1 + 4
};

} // namespace maskscope
