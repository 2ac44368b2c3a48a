// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/peak_sum.h"
#include "core/model/weights.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace maskscope {

/// What the encoder sees in a batch of images of one size, float. H and W are multiples of 32.
struct VisionFeatures {
    at::Tensor pixels; ///< [B, 48, H/4, W/4], the normalised pixels, 4 x 4 of them per place
    at::Tensor stride4; ///< [B, 24, H/4, W/4]
    at::Tensor stride8; ///< [B, 40, H/8, W/8]
    at::Tensor stride16; ///< [B, 112, H/16, W/16]
    at::Tensor head; ///< [B, 1280, H/16, W/16]
    at::Tensor probabilities; ///< [B, 1000, H/16, W/16], ImageNet classes at each place
    std::int64_t gridHeight = 0; ///< H/16
    std::int64_t gridWidth = 0; ///< W/16; P = gridHeight * gridWidth patches, row by row
};

/// EfficientNet-lite0 (Tan and Le 2019; the lite variant without squeeze and excitation) with batch
/// norms folded into the convolutions. Its last stride is undone and the depthwise convolutions
/// behind it are dilated by 2, so that the 1280 channels and the classifier stand at stride 16.
/// Padding is TensorFlow's "same". Cost and memory grow linearly with the image.
class VisionEncoder {
public:
    /// Numbers for each patch in what only the description needs: stride 16, head, probabilities.
    static constexpr std::int64_t kDeepChannels = 112 + 1280 + 1000;

    explicit VisionEncoder(Weights& weights); ///< parameters "vision.encoder.*"
    ~VisionEncoder();
    VisionEncoder(VisionEncoder&&) noexcept;

    /// pixels [B, 3, H, W] as normalisedPixels() gives them.
    VisionFeatures forward(const at::Tensor& pixels, const std::stop_token& stop = {}) const;

    /// The memory of forward() on one image without gradients; its features stay.
    void addPeak(PeakSum& sum, const SeenImage& seen) const;

private:
    struct Unit;
    struct Block;
    /// [B, 48, H/4, W/4] of pixels [B, 3, H, W].
    static at::Tensor folded(const at::Tensor& pixels, const std::stop_token& stop);
    /// The first convolution: [B, 32, H/2, W/2].
    at::Tensor stem(const at::Tensor& pixels, const std::stop_token& stop) const;
    /// Fills head and probabilities from the last block's output.
    void classify(const at::Tensor& x, VisionFeatures& features, const std::stop_token& stop) const;

    std::vector<Block> m_blocks;
    std::vector<Unit> m_units; ///< stem, head
    at::Tensor m_classifierWeight; ///< [1000, 1280]
    at::Tensor m_classifierBias; ///< [1000]
};

} // namespace maskscope
