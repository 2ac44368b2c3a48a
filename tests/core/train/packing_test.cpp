// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/packing.h"

#include "core/model/language_model.h"
#include "tests/core/train/wave.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

constexpr std::int64_t kMask = 9;

// Two images; the second has one short request, so it is padded.
const std::vector<std::vector<RequestTokens>> kRequests{
    {{{1, 4, 2}, {5, kMask, 3}}, {{1, 6, 7, 2}, {8, 3}}}, {{{1, kMask, 2}, {kMask, 3}}}};

std::vector<std::int64_t> listOf(const at::Tensor& tensor) {
    return {tensor.const_data_ptr<std::int64_t>(),
        tensor.const_data_ptr<std::int64_t>() + tensor.numel()};
}

TEST(Packing, PutsTokensPositionsAndRows) {
    const auto packed = packRequests(kRequests, 2, kMask);
    using List = std::vector<std::int64_t>;
    EXPECT_EQ(listOf(packed.ids[0]), (List{1, 4, 2, 5, kMask, 3, 1, 6, 7, 2, 8, 3}));
    EXPECT_EQ(listOf(packed.ids[1]), (List{1, kMask, 2, kMask, 3, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(listOf(packed.positions[0]), (List{0, 1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(listOf(packed.promptRows), (List{4, 11, 18}));
    EXPECT_EQ(listOf(packed.imageOfPrompt), (List{0, 0, 1}));
    // The row before each answer token predicts it; 14 rows an image.
    EXPECT_EQ(listOf(packed.answerRows), (List{4, 5, 6, 11, 12, 18, 19}));
    EXPECT_EQ(listOf(packed.answerTokens), (List{5, kMask, 3, 8, 3, kMask, 3}));
    // Only masks of answers count, not a <|mask|> id in a prompt.
    EXPECT_EQ(listOf(packed.maskRows), (List{6, 19}));
    EXPECT_EQ(listOf(packed.imageOfMask), (List{0, 1}));
}

TEST(Packing, GivesTheStatesEachRequestHasAlone) {
    const at::NoGradGuard guard;
    LanguageConfig config;
    config.vocabulary = 10;
    config.width = 16;
    config.layers = 2;
    config.heads = 2;
    config.kvHeads = 1;
    config.headDim = 8;
    config.mlpWidth = 24;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Draw, 5);
    const LanguageModel language(weights, config, "language.");
    const std::int64_t M = 3;
    const auto images = wave({2, M, 16}, 0.37, 0.2);
    const auto packed = packRequests(kRequests, M, kMask);
    const auto together = language.forward(
        at::cat({images, language.embed(packed.ids)}, 1), packed.positions, packed.mask);
    EXPECT_TRUE(together.isfinite().all().item<bool>());

    for (std::size_t b = 0; b < kRequests.size(); ++b) {
        std::int64_t at = M;
        for (const auto& request : kRequests[b]) {
            auto tokens = request.prompt;
            tokens.insert(tokens.end(), request.answer.begin(), request.answer.end());
            const auto length = std::int64_t(tokens.size());
            auto state = language.newState(1, M + length);
            language.extend(state, images.slice(0, std::int64_t(b), std::int64_t(b) + 1));
            const auto alone = language.extend(
                state, language.embed(at::tensor(tokens, at::kLong).unsqueeze(0)))[0];
            const auto here = together[std::int64_t(b)].slice(0, at, at + length);
            EXPECT_LT((alone - here).abs().max().item<double>(), 1e-5);
            at += length;
        }
    }
}

} // namespace
} // namespace maskscope
