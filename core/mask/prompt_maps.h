// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope {

/// Clicks, a box and a mask before them for one object. Coordinates are those of a picture of
/// width 1 and height 1, so that they hold at any size of the model's input.
struct ObjectPrompt {
    std::vector<PointPrompt> points;
    std::optional<BoxPrompt> box;
    at::Tensor previous; ///< logits [H/2, W/2] of the mask to correct, or undefined
};

/// Prompts as pictures, N queries on a gridHeight x gridWidth grid of patches. Clicks are tents
/// (1 at the click, 0 one place further), so that a map divided by its sum samples bilinearly.
struct PromptMaps {
    at::Tensor
        maps16; ///< [N, 5, gh, gw]: positive, negative, inside the box (0..1 covered), signed
                ///< distance to its edge (0 without a box), previous probability (0 without)
    at::Tensor
        maps4; ///< [N, 4, 4gh, 4gw]: positive, negative, inside the box, previous probability
    at::Tensor boxes; ///< [N, 4]: x0, y0, x1, y1 in 0..1; zeros without a box

    std::int64_t count() const { return maps16.size(0); }
};

/// Float32 on the CPU.
PromptMaps promptMaps(
    const std::vector<ObjectPrompt>& prompts, std::int64_t gridHeight, std::int64_t gridWidth);

} // namespace maskscope
