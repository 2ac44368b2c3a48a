// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scene_tokens.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

namespace maskscope {
namespace {

/// '#' is 1; rows are separated by '/'.
at::Tensor mapOf(std::string_view picture) {
    std::vector<float> values;
    std::int64_t rows = 1;
    for (const char c : picture)
        if (c == '/')
            ++rows;
        else
            values.push_back(c == '#' ? 1.0F : 0.0F);
    return at::tensor(values).reshape({rows, -1});
}

double fact(const at::Tensor& map, std::int64_t index) {
    return factsOf(map)[index].item<double>();
}

TEST(FactsOf, CountsConnectedPieces) {
    EXPECT_NEAR(fact(mapOf("......./......./......."), 2), 0, 1e-6);
    EXPECT_NEAR(fact(mapOf(".##..../.##..../......."), 2), 0.2, 1e-6); // one
    EXPECT_NEAR(fact(mapOf("##....#/.....##/#.#...."), 2), 0.8, 1e-6); // four, one of them bent
    EXPECT_NEAR(fact(mapOf("####.##/####.##/......."), 3), 0.4, 1e-6); // two, by the sure ones
    EXPECT_NEAR(fact(mapOf("##....#/.....##/#.#....") * 0.2, 3), 0, 1e-6); // none of them sure
}

TEST(FactsOf, SaysWhereAndHowMuch) {
    const auto map = mapOf("......##/......##/......../........");
    EXPECT_NEAR(fact(map, 0), 1, 1e-6);
    EXPECT_NEAR(fact(map, 1), std::sqrt(4.0 / 32), 1e-5);
    EXPECT_NEAR(fact(map, 4), 7.0 / 8, 1e-5);
    EXPECT_NEAR(fact(map, 5), 1.0 / 4, 1e-5);
    EXPECT_NEAR(fact(map, 6), 0.5 / 8, 2e-3); // half a place
    EXPECT_NEAR(fact(map, 7), 0.5 / 4, 2e-3);
}

/// Two objects on a 1 x 4 grid, a dog on the first patch and a cat on the last two, and no third.
struct TwoObjects {
    LensConfig config;
    at::Tensor probabilities = at::full({1, 4, 4}, 0.01F);
    FoundObjects found{at::tensor({0.9F, 0.6F, 0.F}).view({1, 3}), at::zeros({1, 3, 4}),
        at::zeros({1, 3, 4}), at::zeros({1, 3, 4})};

    TwoObjects() {
        config.classes = {"cat", "dog"};
        config.language.width = config.vision.width = 4;
        found.maps[0][0][0] = 1;
        found.maps[0][1][2] = found.maps[0][1][3] = 0.5F;
        found.classes[0][0][1] = 1; // a dog
        found.classes[0][1][0] = 0.75F; // mostly a cat
        found.classes[0][1][3] = 0.25F;
    }
};

TEST(SceneTokens, GiveEachObjectItsWordAndWhatItsPatchesAre) {
    const at::NoGradGuard guard;
    const TwoObjects two;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Draw, 1);
    const SceneTokens tokens(weights, two.config);
    for (auto [name, tensor] : weights.all())
        if (name == "projector.object.look.weight")
            tensor.copy_(at::eye(4));
        else
            tensor.zero_();
    const auto words = at::tensor(
        {1.F, 0.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F})
                           .view({4, 4}); // cat, dog, and two without
    auto patches = at::zeros({1, 4, 4});
    patches[0][0][2] = 5;
    patches[0][2][3] = 2;
    patches[0][3][3] = 4;
    const auto out = tokens.objects(two.found, patches, at::zeros({1, 4, 3}), words);
    const auto wanted = at::tensor({0.F, 1.F, 5.F, 0.F, 0.75F, 0.F, 0.F, 3.F, 0.F, 0.F, 0.F, 0.F})
                            .view({1, 3, 4});
    EXPECT_LT((out - wanted).abs().max().item<double>(), 1e-5) << out;
}

TEST(SceneTokens, CountTheObjectsOfAClass) {
    const at::NoGradGuard guard;
    const TwoObjects two;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Draw, 1);
    const SceneTokens tokens(weights, two.config);
    const auto facts = tokens.facts(two.probabilities, two.found, 1, 4);
    ASSERT_EQ(facts.sizes(), (at::IntArrayRef{1, 2, 10}));
    EXPECT_NEAR(facts[0][0][8].item<double>(), 0.2 * 0.6 * 0.75, 1e-6); // a fifth for each
    EXPECT_NEAR(facts[0][1][8].item<double>(), 0.2 * 0.9, 1e-6);
    EXPECT_NEAR(facts[0][0][9].item<double>(), 0.6 * 0.75, 1e-6);
    EXPECT_NEAR(facts[0][1][9].item<double>(), 0.9, 1e-6);
}

TEST(SceneTokens, AddsFactsOnlyToWordsThatNameAClass) {
    const at::NoGradGuard guard;
    LensConfig config;
    config.classes = {"cat", "dog"};
    config.language.width = 4;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Draw, 1);
    const SceneTokens tokens(weights, config);
    for (auto [name, tensor] : weights.all())
        if (name == "projector.names.weight") {
            tensor.zero_();
            tensor[0][0] = 100; // "cat" is the first direction, "dog" the second, others neither
            tensor[1][1] = 100;
            tensor[2][2] = 100;
        }
    const auto embedded = at::tensor({1.F, 0.F, 0.F, 0.F, 0.F, 0.F, 1.F, 0.F}).reshape({1, 2, 4});
    auto here = at::zeros({1, 2, 10}), gone = at::zeros({1, 2, 10});
    here[0][0].fill_(0.7F); // a cat
    const auto with = tokens.told(embedded, here), without = tokens.told(embedded, gone);
    EXPECT_GT((with[0][0] - without[0][0]).abs().max().item<double>(), 0.05);
    EXPECT_LT((with[0][1] - without[0][1]).abs().max().item<double>(), 1e-6);
    EXPECT_LT((with[0][1] - embedded[0][1]).abs().max().item<double>(), 1e-6);
    here.zero_();
    here[0][1].fill_(0.7F); // a dog says nothing about cats
    EXPECT_LT((tokens.told(embedded, here) - without).abs().max().item<double>(), 1e-6);
}

} // namespace
} // namespace maskscope
