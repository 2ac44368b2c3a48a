// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lens.h"
#include "tests/stored_tensors.h"
#include "tests/temporary_folder.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

LensConfig smallConfig() {
    LensConfig config;
    config.language.vocabulary = 64;
    config.language.width = 24;
    config.language.layers = 2;
    config.language.heads = 3;
    config.language.kvHeads = 1;
    config.language.headDim = 8;
    config.language.mlpWidth = 32;
    config.vision.width = 24;
    config.mask.width = 16;
    config.mask.heads = 4;
    config.classes = {"cat", "dog"};
    return config;
}

const std::vector<std::vector<std::int64_t>> kClassTokens{{7}, {8, 9}};

/// A picture of noise with a bright square per image, and the square as the target.
struct Toy {
    at::Tensor pixels = at::randn({2, 3, 64, 96}) * 0.1;
    at::Tensor targets = at::zeros({2, 1, 32, 48});
    std::vector<ObjectPrompt> prompts{2};

    Toy() {
        pixels.narrow(0, 0, 1).narrow(2, 8, 24).narrow(3, 16, 32) += 1;
        targets.narrow(0, 0, 1).narrow(2, 4, 12).narrow(3, 8, 16).fill_(1);
        pixels.narrow(0, 1, 1).narrow(2, 32, 24).narrow(3, 48, 32) += 1;
        targets.narrow(0, 1, 1).narrow(2, 16, 12).narrow(3, 24, 16).fill_(1);
        prompts[0].points.push_back({32.0 / 96, 20.0 / 64, PointSign::Positive});
        prompts[1].box = BoxPrompt{48.0 / 96, 32.0 / 64, 80.0 / 96, 56.0 / 64};
    }
};

} // namespace

TEST(Lens, LossOfEveryHeadFallsInAFewSteps) {
    at::manual_seed(1);
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 1);
    const Lens lens(weights, smallConfig(), kClassTokens);
    std::vector<at::Tensor> trained;
    for (const auto& [name, tensor] : weights.all())
        if (!name.starts_with("vision.encoder.") && !name.starts_with("vision.standard."))
            trained.push_back(tensor.requires_grad_(true));

    const Toy toy;
    const auto features = [&] {
        const c10::NoGradGuard frozen;
        return lens.encode(toy.pixels);
    }();
    const auto ids = at::tensor({1, 2, 3, 4, 1, 2, 5, 6}, at::kLong).view({2, 4});
    const auto prompts = promptMaps(toy.prompts, 4, 6);
    const auto none = promptMaps(std::vector<ObjectPrompt>(2), 4, 6);
    const auto of = at::arange(2);
    const auto centres = at::zeros({2, 8, 12});
    centres[0][2][6] = centres[1][5][10] = 1;
    const auto patchClasses = at::randint(4, {2 * 24}, at::kLong);

    const auto losses = [&] {
        const auto image = lens.describe(features, AttentionRun{});
        const auto tokens = at::cat({image.tokens, lens.embedWords(ids, image)}, 1);
        const auto hidden
            = lens.language().forward(tokens, at::arange(tokens.size(1)), {}).narrow(1, -4, 4);
        const auto before = hidden.narrow(1, 0, 3).flatten(0, 1); // [6, C]
        const auto asked = lens.asked(image, hidden.select(1, 0), of); // [2, M]
        const auto unpainted = at::zeros({6, FoundObjects::kMost});
        const auto evidence = lens.evidence(image, before,
            {at::sigmoid(asked.detach()).repeat_interleave(3, 0), unpainted, unpainted},
            {lens.tokenClasses(), 5, 6}, of.repeat_interleave(3));
        const auto states = hidden.select(1, 3);
        const auto pointing = lens.point(image, states, of);
        const auto meant = at::zeros({2, FoundObjects::kMost});
        meant.select(1, 0).fill_(1);
        const auto words = lens.maskFromStates(image, states, meant, none, of, {});
        const auto clicks = lens.maskFromPrompts(image, prompts, of, {});
        const auto cover = at::avg_pool2d(toy.targets, 8).flatten(1);
        return std::vector<at::Tensor>{
            at::cross_entropy_loss(
                lens.language().logits(before) + evidence, ids.narrow(1, 1, 3).flatten()),
            at::cross_entropy_loss(lens.decoder().classLogits(states), of),
            at::cross_entropy_loss(image.classLogits.flatten(0, 1), patchClasses),
            at::binary_cross_entropy_with_logits(words.similarity, cover),
            at::binary_cross_entropy_with_logits(words.logits, toy.targets),
            at::binary_cross_entropy_with_logits(clicks.logits, toy.targets),
            at::mse_loss(clicks.score, at::full({2}, 0.9)),
            at::l1_loss(clicks.box, at::full({2, 4}, 0.3)),
            at::binary_cross_entropy_with_logits(image.objectMaps.centres, centres),
            at::l1_loss(image.objectMaps.votes, at::full({2, 24, 2}, 0.7)),
            at::l1_loss(image.objectMaps.sizes, at::full({2, 24, 2}, 0.4)),
            at::binary_cross_entropy_with_logits(pointing.objects, meant),
            at::binary_cross_entropy_with_logits(asked, meant),
            at::binary_cross_entropy_with_logits(pointing.together, at::ones({2})),
        };
    };

    std::vector<double> first;
    std::vector<at::Tensor> squares(trained.size());
    for (int step = 0; step < 60; ++step) {
        const auto parts = losses();
        if (first.empty())
            for (const auto& part : parts)
                first.push_back(part.item<double>());
        at::stack(parts).sum().backward();
        const c10::NoGradGuard stepping;
        for (std::size_t i = 0; i < trained.size(); ++i) { // RMSprop
            auto& gradient = trained[i].mutable_grad();
            ASSERT_TRUE(gradient.defined()) << "a parameter that no loss reaches, number " << i;
            const auto now = gradient * gradient;
            squares[i] = squares[i].defined() ? squares[i] * 0.9 + now * 0.1 : now;
            trained[i].sub_(gradient / (squares[i].sqrt() + 1e-8) * 3e-3);
            gradient.zero_();
        }
    }
    const c10::NoGradGuard evaluating;
    const auto last = losses();
    for (std::size_t i = 0; i < last.size(); ++i)
        EXPECT_LT(last[i].item<double>(), 0.8 * first[i]) << "loss " << i;
}

TEST(Lens, GivesTheSameMasksInHalfPrecision) {
    const c10::NoGradGuard inference;
    const test::TemporaryFolder folder;
    {
        auto drawn = Weights::forTraining({}, Weights::Mismatch::Refuse, 1);
        const Lens lens(drawn, smallConfig(), kClassTokens);
        test::storeTensors(folder.path() / "model.safetensors", drawn.all());
    }
    const Toy toy;
    const auto maskIn = [&](at::ScalarType type) {
        auto weights = Weights::fromFolder(folder.path(), type);
        const Lens lens(weights, smallConfig(), kClassTokens);
        const auto image = lens.describe(lens.encode(toy.pixels.to(type)), AttentionRun{});
        auto state = lens.language().newState(2, image.tokens.size(1));
        const auto states = lens.language().extend(state, image.tokens).select(1, -1);
        const auto out = lens.maskFromStates(image, states, at::zeros({2, FoundObjects::kMost}),
            promptMaps(toy.prompts, 4, 6), at::arange(2), AttentionRun{});
        EXPECT_TRUE(out.logits.isfinite().all().item<bool>()) << type;
        return at::sigmoid(out.logits.to(at::kFloat));
    };
    const auto exact = maskIn(at::kFloat);
    EXPECT_LE(test::difference(maskIn(at::kBFloat16), exact), 0.15);
    EXPECT_LE(test::difference(maskIn(at::kHalf), exact), 0.03);
}

TEST(Lens, DescribesLongImagesInFewTokens) {
    const c10::NoGradGuard inference;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 1);
    const Lens lens(weights, smallConfig(), kClassTokens);
    const auto tokensOf = [&](std::int64_t height, std::int64_t width) {
        const auto image = lens.describe(lens.encode(at::randn({1, 3, height, width})));
        return image.tokens.size(1) - 1 - FoundObjects::kMost; // the scene and its objects
    };
    EXPECT_EQ(tokensOf(192, 192), 6 * 6);
    EXPECT_EQ(tokensOf(32, 32), 1);
    EXPECT_EQ(tokensOf(512, 256), 8 * 4); // 32 x 16 patches, pooled to 16 x 8
    EXPECT_EQ(tokensOf(32, 1024), 1 * 8); // 2 x 64 patches, pooled to 1 x 16, padded to 2 x 16
}

TEST(Lens, ClassesWithoutWordsHaveNoEmbedding) {
    const c10::NoGradGuard inference;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 1);
    const Lens lens(weights, smallConfig(), kClassTokens);
    const auto words = lens.wordEmbeddings();
    ASSERT_EQ(words.sizes(), (at::IntArrayRef{4, 24}));
    EXPECT_GT(words[0].abs().max().item<float>(), 0);
    EXPECT_EQ(words.narrow(0, 2, 2).abs().max().item<float>(), 0);
    const auto embedding = lens.language().embedding();
    const auto ratio = words[1] / (embedding[8] + embedding[9]);
    EXPECT_LE(test::difference(ratio, ratio.mean().expand_as(ratio)), 1e-4) << "the mean of both";
}

} // namespace maskscope
