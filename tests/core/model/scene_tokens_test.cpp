// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scene_tokens.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
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

TEST(SceneTokens, NamesTheProbableClassesFromLeftToRight) {
    const at::NoGradGuard guard;
    LensConfig config;
    for (int k = 0; k < 12; ++k)
        config.classes.push_back("class" + std::to_string(k));
    config.language.width = 4;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Draw, 1);
    const SceneTokens tokens(weights, config);
    for (auto [name, tensor] : weights.all())
        tensor.zero_(); // only the words are left
    auto words = at::zeros({14, 4});
    for (int k = 0; k < 14; ++k)
        words[k].fill_(k);
    // A 1 x 4 grid: class 7 on the right, class 3 on the left, class 11 between, unknown
    // everywhere.
    auto p = at::full({1, 4, 14}, 1e-4F);
    p.select(2, 13).fill_(0.9F);
    p[0][3][7] = 0.6F;
    p[0][0][3] = 0.5F;
    p[0][1][11] = 0.4F;
    const auto out = tokens.forward(p, tokens.facts(p, 1, 4), words);
    EXPECT_EQ(out.sizes(), (at::IntArrayRef{1, 1 + SceneTokens::kClassTokens, 4}));
    std::vector<int> order;
    for (std::int64_t i = 1; i < out.size(1); ++i) {
        const int k = out[0][i][0].item<int>();
        if (k == 3 || k == 7 || k == 11)
            order.push_back(k);
    }
    EXPECT_EQ(order, (std::vector<int>{3, 11, 7}));
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
    auto here = at::zeros({1, 2, 8}), gone = at::zeros({1, 2, 8});
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
