// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/painted_answer.h"

#include <ATen/ops/maximum.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/zeros.h>

namespace maskscope {

PaintedAnswer::PaintedAnswer(
    const Lens& lens, const ImageFeatures& image, AnswerTokens tokens, const at::Tensor& request)
    : m_lens(lens)
    , m_image(image)
    , m_tokens(std::move(tokens))
    , m_first(at::zeros({1}, at::kLong)) {
    const at::Tensor nothing = at::zeros({1, FoundObjects::kMost}, at::kFloat);
    const at::Tensor asked = m_lens.asked(m_image, request.unsqueeze(0), m_first);
    m_objects = {at::sigmoid(asked.to(at::kFloat)), nothing, nothing};
}

at::Tensor PaintedAnswer::evidence(const at::Tensor& state) const {
    return m_lens.evidence(m_image, state.unsqueeze(0), m_objects, m_tokens, m_first).squeeze(0);
}

at::Tensor PaintedAnswer::paint(const at::Tensor& state) {
    m_objects.now
        = meantByWords(m_lens.point(m_image, state.unsqueeze(0), m_first), m_objects.ever);
    m_objects.ever = at::maximum(m_objects.ever, m_objects.now);
    return m_objects.now.squeeze(0);
}

} // namespace maskscope
