// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/painted_answer.h"

#include <ATen/ops/maximum.h>
#include <ATen/ops/zeros.h>

namespace maskscope {

PaintedAnswer::PaintedAnswer(const Lens& lens, const ImageFeatures& image, AnswerTokens tokens)
    : m_lens(lens)
    , m_image(image)
    , m_tokens(std::move(tokens))
    , m_first(at::zeros({1}, at::kLong)) {
    const at::Tensor nothing = at::zeros({1, FoundObjects::kMost}, at::kFloat);
    m_painted = {nothing, nothing};
}

at::Tensor PaintedAnswer::evidence(const at::Tensor& state) const {
    return m_lens.evidence(m_image, state.unsqueeze(0), m_painted, m_tokens, m_first).squeeze(0);
}

at::Tensor PaintedAnswer::paint(const at::Tensor& state) {
    const at::Tensor meant
        = meantByWords(m_lens.point(m_image, state.unsqueeze(0), m_first), m_painted.ever);
    m_painted = {meant, at::maximum(m_painted.ever, meant)};
    return meant.squeeze(0);
}

} // namespace maskscope
