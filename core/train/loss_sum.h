// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_decoder.h"
#include "core/train/example.h"
#include "core/train/figures.h"
#include "core/train/prompting.h"

#include <ATen/core/Tensor.h>

#include <span>

namespace maskscope {

/// The loss of a step in the making: weighted terms, and the figures they are logged as.
struct LossSum {
    at::Tensor loss; ///< scalar; undefined before the first term
    Figures figures;

    void add(Figure figure, double weight, const at::Tensor& term);

    /// All that is asked of a mask: its pixels (as `figure`), similarity, score and box.
    void addMasks(
        Figure figure, double weight, const MaskOutput& output, const MaskTargets& targets);
};

/// Size of the pictures of a step.
struct PictureSize {
    int width = 0;
    int height = 0;
};

/// Of masks decoded at stride 2 with what they should be.
double meanIou(const MaskOutput& output, const MaskTargets& targets);

MaskTargets targetsOf(std::span<const PromptedObject> objects, PictureSize size);

} // namespace maskscope
