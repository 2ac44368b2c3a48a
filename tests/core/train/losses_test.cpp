// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/losses.h"

#include "tests/core/train/wave.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

void expectGolden(const char* name, const at::Tensor& loss, const at::Tensor& leaf) {
    const auto wanted = trainValues().at(name);
    loss.backward();
    EXPECT_NEAR(loss.item<double>(), wanted.at("value").get<double>(), 1e-5);
    const auto gradient = floatsOf(leaf.grad());
    const auto right = wanted.at("gradient").get<std::vector<float>>();
    ASSERT_EQ(gradient.size(), right.size());
    for (std::size_t i = 0; i < right.size(); ++i)
        EXPECT_NEAR(gradient[i], right[i], 1e-6) << name << " gradient " << i;
}

TEST(Losses, ClassLossIsPyTorchsAndIgnoresMarkedRows) {
    auto logits = (3 * wave({4, 5}, 0.7, 0.1)).detach().requires_grad_();
    expectGolden("class",
        classLoss(logits, at::tensor(std::vector<std::int64_t>{2, kIgnoredClass, 0, 4})), logits);
}

TEST(Losses, ClassLossOfNothingIsZeroNotNaN) {
    const auto logits = wave({2, 5}, 0.7, 0.1);
    EXPECT_EQ(classLoss(logits, at::full({2}, kIgnoredClass, at::kLong)).item<double>(), 0);
    EXPECT_EQ(classLoss(logits.slice(0, 0, 0), at::zeros({0}, at::kLong)).item<double>(), 0);
}

TEST(Losses, MaskLossIsThreeEntropiesPlusDiceWeightedByMask) {
    auto logits = (2 * wave({2, 3, 4}, 0.9, 0.3)).detach().requires_grad_();
    expectGolden("mask",
        maskLoss(logits, wave({2, 3, 4}, 0.5, 0.2) * 0.5 + 0.5,
            at::tensor(std::vector<float>{1, 0.25F})),
        logits);
}

TEST(Losses, SimilarityLossCountsPositivesThreeTimes) {
    auto logits = (2 * wave({2, 3}, 1.1, 0.4)).detach().requires_grad_();
    expectGolden("similarity",
        similarityLoss(logits, at::tensor(std::vector<float>{1, 0, 0, 0, 1, 1}).reshape({2, 3})),
        logits);
}

TEST(Losses, ScoreLossIsTheSquaredError) {
    auto scores = (wave({3}, 1.3, 0.2) * 0.5 + 0.5).detach().requires_grad_();
    expectGolden(
        "score", scoreLoss(scores, at::tensor(std::vector<float>{0.2F, 0.9F, 0.5F})), scores);
}

TEST(Losses, BoxLossSkipsRowsWithoutWeight) {
    auto boxes = (wave({3, 4}, 0.6, 0.5) * 0.5 + 0.5).detach().requires_grad_();
    expectGolden("box",
        boxLoss(boxes, wave({3, 4}, 0.4, 0.9) * 0.5 + 0.5, at::tensor(std::vector<float>{1, 0, 1})),
        boxes);
}

TEST(Losses, MaskIouCountsPixels) {
    // Row 0: predicted {0,1}, wanted {1,2}: 1 of 3. Row 1: both empty. Row 2: nothing wanted.
    const auto logits
        = at::tensor(std::vector<float>{1, 1, -1, -1, -1, -1, 1, -1, -1}).reshape({3, 1, 3});
    const auto targets
        = at::tensor(std::vector<float>{0, 1, 0.9F, 0, 0.5F, 0, 0, 0, 0}).reshape({3, 1, 3});
    const auto iou = floatsOf(maskIou(logits, targets));
    EXPECT_FLOAT_EQ(iou[0], 1.0F / 3);
    EXPECT_FLOAT_EQ(iou[1], 1);
    EXPECT_FLOAT_EQ(iou[2], 0);
}

} // namespace
} // namespace maskscope
