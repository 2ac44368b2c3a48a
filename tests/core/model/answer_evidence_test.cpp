// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/answer_evidence.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {
namespace {

constexpr std::int64_t kCat = 2, kDog = 3, kMask = 5, kEnd = 6, kTokens = 8;
constexpr std::int64_t kNumber = 11; ///< the last gate

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
        config.language.vocabulary = kTokens;
        return config;
    }

    at::Tensor weight(std::string_view name) {
        for (auto [known, tensor] : weights.all())
            if (known == name)
                return tensor;
        throw std::out_of_range(std::string(name));
    }

    void close() { // all gates
        const at::NoGradGuard guard;
        for (auto [name, tensor] : weights.all())
            tensor.zero_();
    }

    /// What is added to each token when one of the gates is open, [kTokens].
    std::vector<float> said(std::int64_t gate, const std::vector<float>& now,
        const std::vector<float>& ever, const std::vector<float>& asked = {0, 0, 0, 0, 0}) {
        const at::NoGradGuard guard;
        close();
        weight("answer.gates.bias")[gate] = 1;
        weight("answer.counts.weight").copy_(counts);
        const auto row = [](const std::vector<float>& of) { return at::tensor(of).unsqueeze(0); };
        const auto added
            = evidence(at::zeros({1, 4}), found, {row(asked), row(now), row(ever)}, tokens)[0]
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
    AnswerTokens tokens{at::zeros({kTokens, 2}), kMask, kEnd};
    at::Tensor counts = at::zeros({kTokens, AnswerEvidence::kCounts});
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

TEST_F(AnswerEvidenceTest, SpeaksForWhatIsAskedFor) {
    const std::vector<float> dogAndLast{0.1F, 1, 0.7F, 0.9F, 0.6F};
    expectOnly(said(3, none, none, dogAndLast),
        {0, 0, weightOf(0.6), weightOf(0.7), 0, 0, 0, 0}); // the second is hardly there
    expectOnly(said(3, first, all, dogAndLast), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(4, none, none, dogAndLast), {0, 0, 0, 1, 0, 0, 0, 0});
    expectOnly(said(4, none, firstAndDog, dogAndLast), {0, 0, 1, 0, 0, 0, 0, 0});
    expectOnly(said(4, none, none), {0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_F(AnswerEvidenceTest, SpeaksForAMaskWhereAnotherLikeTheLastIsLeft) {
    expectOnly(said(5, none, none), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(5, first, first), {0, 0, 0, 0, 0, weightOf(0.7), 0, 0});
    expectOnly(said(5, first, all), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(6, first, first), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(6, first, first, {1, 1, 1, 1, 0.4F}), {0, 0, 0, 0, 0, weightOf(0.4), 0, 0});
    expectOnly(said(7, none, none), {0, 0, 0, 0, 0, 1, 0, 0});
}

TEST_F(AnswerEvidenceTest, SpeaksForTheEndByWhatIsLeft) {
    expectOnly(said(8, first, first), {0, 0, 0, 0, 0, 0, weightOf(0.8), 0});
    expectOnly(said(8, first, all), {0, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(9, first, first, {1, 0, 0.2F, 1, 0}), {0, 0, 0, 0, 0, 0, weightOf(0.2), 0});
    expectOnly(said(10, first, all), {0, 0, 0, 0, 0, 0, 1, 0});
}

TEST_F(AnswerEvidenceTest, SpeaksForWordsByHowManyAreAskedFor) {
    counts[0][0] = 2; // "no"
    counts[4][2] = 3; // "two"
    expectOnly(said(kNumber, none, none), {2, 0, 0, 0, 0, 0, 0, 0});
    expectOnly(said(kNumber, none, none, {1, 1, 0, 1, 1}), {0, 0, 0, 0, 3, 0, 0, 0});
    expectOnly(
        said(kNumber, none, none, {1, 0, 0, 0, 0.5F}), {0, 0, 0, 0, 3 * weightOf(0.5), 0, 0, 0});
}

TEST_F(AnswerEvidenceTest, ListensToTheState) {
    const at::NoGradGuard guard;
    close();
    weight("answer.gates.weight")[1][2] = 3; // the leftmost counts by the third number
    const auto row = at::tensor(none).unsqueeze(0);
    const auto added
        = evidence(at::tensor({1.F, 1.F, 0.5F, 1.F}).view({1, 4}), found, {row, row, row}, tokens);
    EXPECT_NEAR(added[0][kCat].item<double>(), 1.5, 1e-6);
    EXPECT_NEAR(added.abs().sum().item<double>(), 1.5, 1e-6);
}

TEST(CountProbabilities, AreThoseOfAllSubsets) {
    const std::vector<float> shares{0.3F, 1, 0, 0.75F};
    std::vector<double> wanted(AnswerEvidence::kCounts, 0.0);
    for (unsigned subset = 0; subset < 16; ++subset) {
        double probability = 1;
        for (std::size_t i = 0; i < shares.size(); ++i)
            probability *= (subset >> i & 1) != 0 ? shares[i] : 1 - shares[i];
        wanted[std::size_t(std::popcount(subset))] += probability;
    }
    const auto counts = countProbabilities(at::tensor(shares).view({1, 4}));
    for (std::size_t n = 0; n < wanted.size(); ++n)
        EXPECT_NEAR(counts[0][std::int64_t(n)].item<double>(), wanted[n], 1e-6) << n;
}

TEST(CountProbabilities, PutTwentyFourUnderMany) {
    const auto counts = countProbabilities(at::ones({2, 24}));
    EXPECT_EQ(counts[1][AnswerEvidence::kCounts - 1].item<float>(), 1);
    EXPECT_EQ(counts[1].sum().item<float>(), 1);
}

} // namespace
} // namespace maskscope
