// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/peak_sum.h"
#include "core/model/vision_encoder.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace maskscope {

/// What is predicted at every place: where objects have their centres, and for every patch where
/// the centre of its own object lies and how large that object is (the centres and votes of
/// Panoptic-DeepLab, Cheng et al. 2020).
struct ObjectMaps {
    at::Tensor centres; ///< [B, 2gh, 2gw] logits at stride 8
    at::Tensor votes; ///< [B, P, 2] x and y from the patch to its object's centre, in patches
    at::Tensor sizes; ///< [B, P, 2] natural logarithm of width and height in patches
};

/// The objects of a batch of images: M for each image, from left to right, those beyond what was
/// found with score 0.
struct FoundObjects {
    static constexpr std::int64_t kMost = 24; ///< M

    at::Tensor scores; ///< [B, M] 0..1
    at::Tensor boxes; ///< [B, M, 4] centre x, centre y, width, height, in shares of the image
    at::Tensor maps; ///< [B, M, P] how much each patch is of each object, 0..1
    at::Tensor classes; ///< [B, M, K + 2] class probabilities
};

/// Tells the objects of an image apart before anything is asked. Convolutional: linear in P.
class ObjectFinder {
public:
    ObjectFinder(Weights& weights, const LensConfig& config); ///< parameters "vision.objects.*"

    /// patches [B, P, C] of the image that the features are of.
    ObjectMaps maps(const VisionFeatures& features, const at::Tensor& patches) const;

    /// The memory of maps() on one image; they stay.
    void addPeak(PeakSum& sum, const SeenImage& seen) const;

private:
    LayerNorm m_norm;
    Linear m_to8; ///< C -> 4 * 32
    LayerNorm m_norm8;
    Linear m_skip8; ///< 40 -> 32
    Convolution m_smooth; ///< 32 -> 32, 3 x 3
    Linear m_centre; ///< 32 -> 1
    Linear m_place; ///< C -> 4: vote and size
};

/// Peaks of the centres, none twice, and the patches that vote for each; classes: the mean over an
/// object's patches. Only they carry gradients, to the probabilities.
FoundObjects findObjects(const ObjectMaps& maps, const at::Tensor& probabilities /*[B, P, K + 2]*/,
    std::int64_t gridHeight, std::int64_t gridWidth);

} // namespace maskscope
