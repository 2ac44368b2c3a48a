// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/train/example.h"
#include "core/train/figures.h"
#include "core/train/material.h"
#include "core/train/random_stream.h"

#include <span>

namespace maskscope {

struct StepResult {
    at::Tensor loss; ///< scalar with gradients
    Figures figures;
};

/// One step of training what is seen before anything is asked, up to the loss: the classes of the
/// patches and the objects, through the encoder.
StepResult visionStep(const Lens& lens, std::span<const Example> examples);

/// One step of training the language model, up to the loss: answers, and which objects their masks
/// mean; nothing is painted.
StepResult languageStep(
    const Lens& lens, const TrainingMaterial& material, std::span<const Example> examples);

/// One step of the joint training, up to the loss: words, clicks and boxes of a batch of pictures
/// through everything that requires a gradient. Clicks after the first are put where the
/// mask so far is wrong, and that mask is fed back.
StepResult jointStep(const Lens& lens, const TrainingMaterial& material,
    std::span<const Example> examples, RandomStream& random);

} // namespace maskscope
