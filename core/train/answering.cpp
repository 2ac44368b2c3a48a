// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/answering.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <deque>
#include <string>

namespace maskscope {

std::vector<GreedyAnswer> greedyAnswers(const Lens& lens, const ImageFeatures& image,
    const std::vector<AskedWords>& asked, const Tokenizer& tokenizer, AnswerTokens special,
    std::int64_t mostTokens) {
    const at::NoGradGuard guard;
    const auto& language = lens.language();
    const std::int64_t read = image.tokens.size(1);
    std::size_t longest = 0;
    for (const auto& words : asked)
        longest = std::max(longest, words.prompt.size());
    auto state = language.newState(1, read + std::int64_t(longest) + mostTokens);
    language.extend(state, image.tokens);

    const auto feed = [&](const at::Tensor& embeddings) {
        return language.extend(state, embeddings).select(1, -1); // [1, C] of the last one
    };
    const auto idsOf = [](const std::vector<std::int64_t>& tokens) {
        return at::tensor(tokens, at::kLong).unsqueeze(0);
    };
    std::vector<GreedyAnswer> answers;
    for (const auto& words : asked) {
        state.truncate(read);
        GreedyAnswer answer;
        std::vector<at::Tensor> states;
        auto last = feed(lens.embedWords(idsOf(words.prompt), image));
        std::string text;
        std::deque<int> prompted;
        const auto next = [&]() -> std::int64_t {
            if (prompted.empty())
                return language.logits(last).argmax(-1).item<std::int64_t>();
            const int id = prompted.front();
            prompted.pop_front();
            return id;
        };
        while (std::int64_t(answer.tokens.size()) < mostTokens) {
            const auto token = next();
            if (token == special.end)
                break;
            answer.tokens.push_back(token);
            last = feed(language.embed(idsOf({token})));
            if (token == special.mask)
                states.push_back(last);
            text += tokenizer.bytesOf(int(token));
            for (const int id : words.unknown.after(text))
                prompted.push_back(id);
        }
        if (!states.empty())
            answer.states = at::cat(states);
        answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace maskscope
