// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention_peak.h"
#include "core/attention/patch_attention.h"
#include "core/mask/prompt_maps.h"
#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/peak_sum.h"
#include "core/model/vision_encoder.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace maskscope {

/// What the decoder needs of a batch of images, computed once per image. C2 is the decoder's width.
struct DecoderImage {
    at::Tensor context; ///< [B, P, C] patches that have attended to each other
    at::Tensor base; ///< [B, P, C2] what every query's patches start from
    at::Tensor keys; ///< [B, heads, P, C2 / heads] for the query-patch similarity
    at::Tensor classProbabilities; ///< [B, P, K + 2]
    at::Tensor
        looks; ///< [B, 40, 2gh, 2gw] stride-8 channels of unit length, for likeness to clicks
    at::Tensor objects; ///< [B, M, P] how much each patch is of each found object
    at::Tensor skip8; ///< [B, 64, 2gh, 2gw]
    at::Tensor skip4; ///< [B, 32, 4gh, 4gw]
    std::int64_t gridHeight = 0;
    std::int64_t gridWidth = 0;
};

/// N masks to decode, of any of the B images.
struct MaskQuery {
    at::Tensor states; ///< [N, C] language states of <|mask|> tokens; undefined without words
    at::Tensor
        classProbabilities; ///< [N, K + 2]: softmax of classLogits(states); undefined without
    at::Tensor meant; ///< [N, M] how much of each object is asked for, 0..1
    PromptMaps prompts; ///< of N queries; empty prompts where there are none
    at::Tensor imageOfQuery; ///< [N] int64 in 0..B-1
};

struct MaskOutput {
    at::Tensor logits; ///< [N, 1, 8gh, 8gw], stride 2
    at::Tensor similarity; ///< [N, P] logits: how much a patch is of the queried object
    at::Tensor score; ///< [N] predicted IoU, 0..1
    at::Tensor box; ///< [N, 4] centre x, centre y, width, height, 0..1 of the image
};

/// Patches and a query become a mask. Only the P patches are tokens, so attention is exactly P x P.
class MaskDecoder {
public:
    MaskDecoder(Weights& weights, const LensConfig& config); ///< parameters "mask.*"
    ~MaskDecoder();
    MaskDecoder(MaskDecoder&&) noexcept;

    /// Which class a <|mask|> token's state names.
    at::Tensor classLogits(const at::Tensor& states /*[N, C]*/) const; ///< [N, K + 2]

    /// patches, softClass [B, P, C]; classLogits [B, P, K + 2] of the patches.
    /// objects [B, M, P].
    DecoderImage image(const VisionFeatures& features, const at::Tensor& patches,
        const at::Tensor& softClass, const at::Tensor& classLogits, const at::Tensor& objects,
        const AttentionRun& run) const;

    /// In the type of the image; the prompts may be of another.
    MaskOutput decode(
        const DecoderImage& image, const MaskQuery& query, const AttentionRun& run) const;

    /// The staging of a ring's ranks in this process, which the first layer takes and the ring
    /// keeps; not part of what follows.
    std::int64_t ringStagingBytes(const SeenImage& seen, const RingRanks& ring) const;
    /// The memory of image() on one image; its result stays.
    void addImagePeak(PeakSum& sum, const SeenImage& seen, const AttentionWay& way) const;
    /// The memory of decode() of one query, prompts included; its logits stay.
    void addDecodePeak(PeakSum& sum, const SeenImage& seen, const AttentionWay& way) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace maskscope
