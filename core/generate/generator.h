// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/generate/language_session.h"
#include "core/generate/sampler.h"
#include "core/text/tokenizer.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// Why an answer ended.
enum class AnswerEnd { EndToken, LengthLimit, ContextFull };

struct AnswerEnding {
    AnswerEnd end = AnswerEnd::EndToken;
    std::string rest; ///< U+FFFD where the last character stayed unfinished, else empty
};

/// One token of an answer as it is produced.
struct AnswerToken {
    int id = 0;
    int index = 0; ///< position in the answer
    std::string text; ///< complete characters only; may be empty
    at::Tensor maskState; ///< [C] where the token is a mask token, else undefined
    at::Tensor logits; ///< [V] float32 that it was drawn from; undefined where it was prompted
};

/// The token loop: draws a token, feeds it, hands it on, until the end token. The state of a mask
/// token is the model's output where the token is the input, so it is fed even if it is the last.
class Generator {
public:
    struct Tokens {
        int end = 0; ///< ends the answer; not part of it
        int mask = 0; ///< stands for one mask; its text is not shown
    };

    Generator(const LanguageModel& model, const Tokenizer& tokenizer, Tokens tokens)
        : m_model(model)
        , m_tokenizer(tokenizer)
        , m_tokens(tokens) { }

    /// Tokens to be said next instead of what the model would say; asked for after each token.
    using Prompter = std::function<std::vector<int>()>;

    /// What else speaks for the token that follows the hidden state `last` [C]: to be added to the
    /// model's logits, [V].
    using Evidence = std::function<at::Tensor(const at::Tensor& last)>;

    /// Continues from the hidden state `last` [C] of the prompt's last token. Throws Cancelled when
    /// stopped, Failure(Model) when the model gives numbers that are not finite.
    AnswerEnding run(LanguageSession& session, at::Tensor last, Sampler& sampler, int mostTokens,
        const std::function<void(const AnswerToken&)>& onToken, const std::stop_token& stop,
        const Prompter& prompter = {}, const Evidence& evidence = {}) const;

private:
    const LanguageModel& m_model;
    const Tokenizer& m_tokenizer;
    Tokens m_tokens;
};

} // namespace maskscope
