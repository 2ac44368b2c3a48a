// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/answering.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

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
    const auto first = at::zeros({1}, at::kLong);
    const AnswerTokens tokens{lens.tokenClasses(), special.mask, special.end};
    const auto nothing = at::zeros({1, FoundObjects::kMost}, at::kFloat);
    std::vector<GreedyAnswer> answers;
    for (const auto& words : asked) {
        session->truncate(read);
        GreedyAnswer answer;
        std::vector<at::Tensor> states, meant;
        PaintedObjects painted{nothing, nothing};
        std::string text;
        const auto last = session->feed(
            lens.embedWords(at::tensor(words.prompt, at::kLong).unsqueeze(0), image), {});
        generator.run(
            *session, last, greedy, mostTokens,
            [&](const AnswerToken& token) {
                answer.tokens.push_back(token.id);
                text += token.text;
                if (token.maskState.defined()) {
                    states.push_back(token.maskState);
                    const auto pointing = lens.point(image, token.maskState.unsqueeze(0), first);
                    meant.push_back(meantByWords(pointing, painted.ever));
                    painted = {meant.back(), at::maximum(painted.ever, meant.back())};
                }
            },
            {}, [&] { return words.unknown.after(text); },
            [&](const at::Tensor& state) {
                return lens.evidence(image, state.unsqueeze(0), painted, tokens, first).squeeze(0);
            });
        if (!states.empty()) {
            answer.states = at::stack(states);
            answer.meant = at::cat(meant);
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace maskscope
