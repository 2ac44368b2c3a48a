// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/packing.h"
#include "core/train/request_maker.h"
#include "core/train/scene.h"

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

namespace maskscope {

/// One training picture with everything that is asked about it in words.
struct Example {
    Scene scene;
    std::vector<SceneRequest> requests;
    std::vector<RequestTokens> tokens; ///< of the requests, in order
};

/// Pictures of one size as the encoder takes them: [B, 3, H, W] float32.
at::Tensor pixelsOf(std::span<const Example> examples);

/// Majority class of every patch: [B, P] int64.
at::Tensor patchClassesOf(std::span<const Example> examples);

/// What a mask, its similarity map and its box should be.
struct MaskTargets {
    at::Tensor half; ///< [N, H/2, W/2] share of each place that the object covers, 0..1
    at::Tensor patches; ///< [N, P] the same at stride 16
    at::Tensor boxes; ///< [N, 4] centre x, centre y, width, height, 0..1 of the image
    at::Tensor boxWeights; ///< [N] 0 where nothing is inside
};

/// From masks [height, width] 0/1 of one size. All are of scenes whose sides are multiples of 32.
MaskTargets maskTargets(
    const std::vector<std::vector<std::uint8_t>>& masks, std::int64_t width, std::int64_t height);

} // namespace maskscope
