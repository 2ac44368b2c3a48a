// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"

#include <ATen/core/Tensor.h>

#include <utility>

namespace maskscope {

/// One answer about one image as it is generated: what was asked for, what its masks have painted,
/// and what that and the image say about the next token.
class PaintedAnswer {
public:
    /// request: the state [C] of the prompt's last token. Lens and image outlive it.
    PaintedAnswer(const Lens& lens, const ImageFeatures& image /*B = 1*/, AnswerTokens tokens,
        const at::Tensor& request);

    /// See Lens::evidence, from the state [C] of the token before: [V].
    at::Tensor evidence(const at::Tensor& state) const;

    /// What the <|mask|> token with this state [C] paints of the found objects: [M], see
    /// meantByWords.
    at::Tensor paint(const at::Tensor& state);

private:
    const Lens& m_lens;
    const ImageFeatures& m_image;
    AnswerTokens m_tokens;
    at::Tensor m_first; ///< [1] int64: the only image
    AnswerObjects m_objects; ///< of one answer: [1, M]
};

} // namespace maskscope
