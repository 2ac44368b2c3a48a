// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/generator.h"

#include "core/base/cancelled.h"
#include "core/text/text_stream.h"

#include <ATen/ops/full.h>

#include <span>

namespace maskscope {

AnswerEnding Generator::run(LanguageSession& session, at::Tensor last, Sampler& sampler,
    int mostTokens, const std::function<void(const AnswerToken&)>& onToken,
    const std::stop_token& stop) const {
    TextStream stream;
    for (int index = 0;; ++index) {
        throwIfStopped(stop);
        const at::Tensor logits = m_model.logits(last).to(at::kFloat).contiguous(); // [V]
        const int id = sampler.next(
            {logits.const_data_ptr<float>(), static_cast<std::size_t>(logits.numel())});
        if (id == m_tokens.end)
            return {AnswerEnd::EndToken, stream.finish()};
        if (session.length() == session.capacity())
            return {AnswerEnd::ContextFull, stream.finish()};
        if (index == mostTokens)
            return {AnswerEnd::LengthLimit, stream.finish()};
        const at::Tensor ids = at::full({1, 1}, id, at::kLong);
        last = session.feed(m_model.embed(ids), stop);
        AnswerToken token{id, index, {}, {}};
        if (id == m_tokens.mask)
            token.maskState = last;
        else if (!m_tokenizer.isSpecial(id))
            token.text = stream.push(m_tokenizer.bytesOf(id));
        onToken(token);
    }
}

} // namespace maskscope
