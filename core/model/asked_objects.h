// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/object_finder.h"

#include <ATen/core/Tensor.h>

namespace maskscope {

/// Tells which of an image's found objects a request asks for, before a word of the answer is said:
/// what the answer has to name, count and paint.
class AskedObjects {
public:
    AskedObjects(Weights& weights, const LensConfig& config); ///< parameters "answer.asked.*"

    /// From the states [R, C] of R requests' last tokens and what there is in each one's image (of
    /// `found` the scores and classes; tokens [R, M, C] as the language model read them): logits
    /// [R, M].
    at::Tensor operator()(const at::Tensor& states, const FoundObjects& found /*of R*/,
        const at::Tensor& tokens) const;

private:
    Linear m_ask; ///< C -> kWidth
    Linear m_key; ///< C -> kWidth
    Linear m_classes; ///< C -> K + 2, how much each class is asked for
    Linear m_weigh; ///< product, class match, score -> 1
};

} // namespace maskscope
