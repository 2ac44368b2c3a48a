// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/prompt_maps.h"
#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/object_finder.h"

#include <ATen/core/Tensor.h>

namespace maskscope {

/// Which of an image's objects the states of <|mask|> tokens mean.
struct Pointing {
    at::Tensor objects; ///< [N, M] logits: does the state mean this object, alone or with others?
    at::Tensor together; ///< [N] logit: is the mask all of them at once, or one of them?
};

/// Points from language states at found objects. Every <|mask|> of "the cats : <|mask|><|mask|>"
/// points at all cats; who is painted by which is settled by meantByWords.
class ObjectPointer {
public:
    ObjectPointer(Weights& weights, const LensConfig& config); ///< parameters "mask.pointer.*"

    /// For states [N, C] that name classes [N, K + 2], and what there is in each one's image:
    /// scores [N, M], classes [N, M, K + 2], tokens [N, M, C] as the language model read them.
    Pointing operator()(const at::Tensor& states, const at::Tensor& stateClasses,
        const at::Tensor& scores, const at::Tensor& classes, const at::Tensor& tokens) const;

private:
    Linear m_ask; ///< C -> kWidth
    Linear m_key; ///< C -> kWidth
    Linear m_weigh; ///< product, class match, score -> 1
    Linear m_together; ///< C -> 1
};

/// How much of each object one <|mask|> is to paint, [1, M]: the likeliest one that the masks
/// before it have not `painted`, or all likely ones when they are meant together; zeros when none
/// is likely. pointing: of one state, [1, M] and [1].
at::Tensor meantByWords(const Pointing& pointing, const at::Tensor& painted /*[1, M] 0 or 1*/);

/// How much of each object N prompts mean, [N, M]: 1 for the object that fills the box best or
/// lies under the clicks, if there is one.
at::Tensor meantByPrompts(
    const FoundObjects& found, const PromptMaps& prompts, const at::Tensor& imageOfQuery /*[N]*/);

/// What a single prompt of one image may mean, [K, M] with K from 1 to 4: as meantByPrompts first,
/// then further found objects under its clicks, the smaller ones first, then none of them, the
/// region by itself. Rows differ.
at::Tensor meaningsOfClick(const FoundObjects& found, const PromptMaps& prompts /*of one*/);

} // namespace maskscope
