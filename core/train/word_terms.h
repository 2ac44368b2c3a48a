// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/train/loss_sum.h"
#include "core/train/material.h"
#include "core/train/random_stream.h"

#include <cstddef>
#include <span>
#include <vector>

namespace maskscope {

/// A <|mask|> token of an answer.
struct WordMask {
    PromptedObject object;
    int classIndex = 0;
    std::vector<float> meant; ///< [M] the found objects that it is to paint
    std::vector<float> phrase; ///< [M] those that its words mean
    bool together = false; ///< whether it paints all that its words mean, of several
    bool paints = true; ///< whether it is clear what it is to paint
};

/// The <|mask|> tokens of a batch's answers, and their states.
struct WordStates {
    std::vector<WordMask> masks;
    at::Tensor states; ///< [masks, C]; undefined without any
};

/// Adds what is asked of the answers' tokens, and of what their <|mask|> states name and mean.
/// matched: of each picture's found objects, see addObjects.
WordStates addWords(LossSum& sum, const Lens& lens, const TrainingMaterial& material,
    const ImageFeatures& image, std::span<const Example> examples,
    const std::vector<std::vector<int>>& matched);

/// Adds what is asked of the masks of at most `most` of them, and of some with a click as well.
void addWordMasks(LossSum& sum, const Lens& lens, const ImageFeatures& image, WordStates words,
    PictureSize picture, RandomStream& random, std::size_t most);

} // namespace maskscope
