// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/answer_evidence.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace maskscope {
namespace {

constexpr std::int64_t kCat = 2, kDog = 3, kMask = 5, kEnd = 6; // of 8 tokens

/// From left to right: a cat, one that is hardly there, a dog, something unknown, and another cat.
class AnswerEvidenceTest : public testing::Test {
protected:
    AnswerEvidenceTest() {
        tokens.classes[kCat][0] = 1;
        tokens.classes[kDog][1] = 1;
        found.scores = at::tensor({0.9F, 0.2F, 0.8F, 0.95F, 0.7F}).view({1, 5});
        found.classes = at::zeros({1, 5, 4});
        const std::vector<std::int64_t> classes{0, 1, 1, 2, 0}; // 2 = unknown
        for (std::size_t i = 0; i < classes.size(); ++i)
            found.classes[0][std::int64_t(i)][classes[i]] = 1;
    }

    static LensConfig config() {
        LensConfig config;
        config.classes = {"cat", "dog"};
        config.language.width = 4;
        return config;
    }

    /// What is added to each token when one of the gates is open, [8].
    std::vector<float> said(
        std::int64_t gate, const std::vector<float>& now, const std::vector<float>& ever) {
        const at::NoGradGuard guard;
        for (auto [name, tensor] : weights.all())
            tensor.zero_();
        weights.all().back().second[gate] = 1; // the bias
        const auto added = evidence(at::zeros({1, 4}), found,
            {at::tensor(now).unsqueeze(0), at::tensor(ever).unsqueeze(0)}, tokens)[0]
                               .contiguous();
        const auto* values = added.const_data_ptr<float>();
        return {values, values + added.numel()};
    }

    static float weightOf(double share) {
        return static_cast<float>(std::log(share / 0.02 + 1) / std::log(51.0));
    }

    static void expectOnly(const std::vector<float>& said, std::vector<float> wanted) {
        ASSERT_EQ(said.size(), wanted.size());
        for (std::size_t i = 0; i < said.size(); ++i)
            EXPECT_NEAR(said[i], wanted[i], 1e-5) << "token " << i;
    }

    Weights weights = Weights::forTraining({}, Weights::Mismatch::Draw, 1);
    AnswerEvidence evidence{weights, config()};
    FoundObjects found;
    AnswerTokens tokens{at::zeros({8, 2}), kMask, kEnd};
    const std::vector<float> none{0, 0, 0, 0, 0}, first{1, 0, 0, 0, 0}, firstAndDog{1, 0, 1, 0, 0},
        all{1, 0, 1, 0, 1};
};

TEST_F(AnswerEvidenceTest, SpeaksForClassesThatAreLeft) {
    expectOnly(said(0, none, none), {0, 0, weightOf(0.9), weightOf(0.8), 0, 0, 0, 0});
    expectOnly(said(0, first, first), {0, 0, weightOf(0.7), weightOf(0.8), 0, 0, 0, 0});
    expectOnly(said(0, first, all), {0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_F(AnswerEvidenceTest, SpeaksForTheLeftmostOfThem) {
    expectOnly(said(1, none, none), {0, 0, 1, 0, 0, 0, 0, 0});
    expectOnly(said(1, first, first), {0, 0, 0, 1, 0, 0, 0, 0});
    expectOnly(said(1, first, firstAndDog), {0, 0, 1, 0, 0, 0, 0, 0});
}

TEST_F(AnswerEvidenceTest, KnowsWhatWasSaid) {
    expectOnly(said(2, none, none), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(2, first, firstAndDog), {0, 0, 1, 1, 0, 0, 0, 0});
}

TEST_F(AnswerEvidenceTest, SpeaksForAMaskWhereAnotherLikeTheLastIsLeft) {
    expectOnly(said(3, none, none), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(3, first, first), {0, 0, 0, 0, 0, weightOf(0.7), 0, 0});
    expectOnly(said(3, first, all), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(4, none, none), {0, 0, 0, 0, 0, 1, 0, 0});
}

TEST_F(AnswerEvidenceTest, SpeaksForTheEndByWhatIsLeft) {
    expectOnly(said(5, first, first), {0, 0, 0, 0, 0, 0, weightOf(0.8), 0});
    expectOnly(said(5, first, all), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(6, first, all), {0, 0, 0, 0, 0, 0, 1, 0});
}

TEST_F(AnswerEvidenceTest, ListensToTheState) {
    const at::NoGradGuard guard;
    for (auto [name, tensor] : weights.all())
        tensor.zero_();
    weights.all().front().second[1][2] = 3; // the leftmost counts by the third number
    const auto added = evidence(at::tensor({1.F, 1.F, 0.5F, 1.F}).view({1, 4}), found,
        {at::tensor(none).unsqueeze(0), at::tensor(none).unsqueeze(0)}, tokens);
    EXPECT_NEAR(added[0][kCat].item<double>(), 1.5, 1e-6);
    EXPECT_NEAR(added.abs().sum().item<double>(), 1.5, 1e-6);
}

} // namespace
} // namespace maskscope
