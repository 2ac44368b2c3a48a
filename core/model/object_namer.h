// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/object_finder.h"
#include "core/model/patch_embedder.h"

#include <ATen/core/Tensor.h>

namespace maskscope {

/// Says what each found object is. Its patches, which see little more than themselves, have a say
/// each; then the whole object is looked at: the encoder's channels and the patches, averaged over
/// it, and its size. Linear in P.
class ObjectNamer {
public:
    ObjectNamer(Weights& weights, const LensConfig& config); ///< parameters "vision.namer.*"

    /// Class probabilities [B, M, K + 2] in place of those of `found`, its patches' mean. patches
    /// [B, P, C]; `embedder` standardises the channels.
    at::Tensor operator()(const FoundObjects& found, const VisionFeatures& features,
        const at::Tensor& patches, const PatchEmbedder& embedder) const;

private:
    Linear m_channels; ///< 2392 -> kWidth
    Linear m_patches; ///< C -> kWidth
    Linear m_size; ///< 2 -> kWidth
    LayerNorm m_norm;
    Linear m_out; ///< kWidth -> K + 2
};

} // namespace maskscope
