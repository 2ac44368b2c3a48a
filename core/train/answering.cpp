// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/answering.h"

#include "core/model/painted_answer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <string>

namespace maskscope {

std::vector<GreedyAnswer> greedyAnswers(const Lens& lens, const ImageFeatures& image,
    const std::vector<AskedWords>& asked, const Tokenizer& tokenizer, Generator::Tokens special,
    int mostTokens) {
    const at::NoGradGuard guard;
    const std::int64_t read = image.tokens.size(1);
    std::size_t longest = 0;
    for (const auto& words : asked)
        longest = std::max(longest, words.prompt.size());
    const auto session
        = cachedSession(lens.language(), read + std::int64_t(longest) + mostTokens + 1);
    session->feed(image.tokens, {});

    const Generator generator(lens.language(), tokenizer, special);
    Sampler greedy(Sampling{});
    const AnswerTokens tokens{lens.tokenClasses(), special.mask, special.end};
    std::vector<GreedyAnswer> answers;
    for (const auto& words : asked) {
        session->truncate(read);
        GreedyAnswer answer;
        std::vector<at::Tensor> states, meant;
        std::string text;
        const auto last = session->feed(
            lens.embedWords(at::tensor(words.prompt, at::kLong).unsqueeze(0), image), {});
        PaintedAnswer painted(lens, image, tokens, last);
        generator.run(
            *session, last, greedy, mostTokens,
            [&](const AnswerToken& token) {
                answer.tokens.push_back(token.id);
                text += token.text;
                if (token.maskState.defined()) {
                    states.push_back(token.maskState);
                    meant.push_back(painted.paint(token.maskState));
                }
            },
            {}, [&] { return words.unknown.after(text); },
            [&](const at::Tensor& state) { return painted.evidence(state); });
        if (!states.empty()) {
            answer.states = at::stack(states);
            answer.meant = at::stack(meant);
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace maskscope
