// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/generator.h"

#include "core/base/cancelled.h"
#include "core/text/text_stream.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>

#include <deque>
#include <span>

namespace maskscope {

AnswerEnding Generator::run(LanguageSession& session, at::Tensor last, Sampler& sampler,
    int mostTokens, const std::function<void(const AnswerToken&)>& onToken,
    const std::stop_token& stop, const Prompter& prompter, const Evidence& evidence) const {
    TextStream stream;
    std::deque<int> prompted;
    at::Tensor logits; // [V] of the next token, unless it is prompted
    const auto next = [&] {
        logits = at::Tensor();
        if (!prompted.empty()) {
            const int id = prompted.front();
            prompted.pop_front();
            return id;
        }
        logits = m_model.logits(last);
        if (evidence)
            logits = logits + evidence(last);
        logits = logits.to(at::kFloat).contiguous();
        return sampler.next(
            {logits.const_data_ptr<float>(), static_cast<std::size_t>(logits.numel())});
    };
    for (int index = 0;; ++index) {
        throwIfStopped(stop);
        const int id = next();
        if (id == m_tokens.end)
            return {AnswerEnd::EndToken, stream.finish()};
        if (session.length() == session.capacity())
            return {AnswerEnd::ContextFull, stream.finish()};
        if (index == mostTokens)
            return {AnswerEnd::LengthLimit, stream.finish()};
        const at::Tensor ids = at::full({1, 1}, id, at::kLong);
        last = session.feed(m_model.embed(ids), stop);
        AnswerToken token{id, index, {}, {}, logits};
        if (id == m_tokens.mask)
            token.maskState = last;
        else if (!m_tokenizer.isSpecial(id))
            token.text = stream.push(m_tokenizer.bytesOf(id));
        onToken(token);
        if (prompter && prompted.empty()) {
            const std::vector<int> following = prompter();
            prompted.assign(following.begin(), following.end());
        }
    }
}

} // namespace maskscope
