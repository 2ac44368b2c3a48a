// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/train/example.h"
#include "core/train/material.h"
#include "core/train/random_stream.h"

#include <array>
#include <span>
#include <string_view>

namespace maskscope {

/// What a step is judged by: the terms of the loss, unweighted, and shares that should rise.
enum class Figure {
    Loss, ///< weighted sum
    Answer, ///< cross-entropy of the answers' tokens
    MaskClass, ///< cross-entropy of the class a <|mask|> state names
    PatchClass, ///< cross-entropy of the patches' classes
    Naming, ///< cross-entropy of the class each token of the vocabulary names
    Similarity, ///< of query and patch
    TextMask,
    PromptMask,
    Score,
    Box,
    PatchRight, ///< share of object patches whose class is right
    TextIou, ///< mean IoU of masks of words
    ClickIou, ///< of one click
    BoxIou, ///< of one box
    RefinedIou, ///< after clicks on what was wrong
};
inline constexpr std::size_t kFigures = 15;
std::string_view nameOf(Figure figure); ///< as in the log: "loss", "answer", "mask_class", …

/// Mean of each figure over the steps that had it.
class Figures {
public:
    void add(Figure figure, double value);
    void add(const Figures& other);
    double mean(Figure figure) const; ///< 0 when it was never added
    bool has(Figure figure) const { return m_counts[static_cast<std::size_t>(figure)] > 0; }

private:
    std::array<double, kFigures> m_sums{};
    std::array<double, kFigures> m_counts{};
};

struct StepResult {
    at::Tensor loss; ///< scalar with gradients
    Figures figures;
};

/// One step of the joint training, up to the loss: words, clicks and boxes of a batch of pictures
/// through the frozen encoder and everything behind it. Clicks after the first are put where the
/// mask so far is wrong, and that mask is fed back.
StepResult jointStep(const Lens& lens, const TrainingMaterial& material,
    std::span<const Example> examples, RandomStream& random);

} // namespace maskscope
