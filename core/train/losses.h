// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

// The terms of the training objective. Each returns a scalar that carries gradients; an empty or
// wholly ignored input gives 0, so that a batch without that kind of target trains the rest.
namespace maskscope {

/// A target class that counts for nothing.
inline constexpr std::int64_t kIgnoredClass = -100;

/// Mean cross-entropy over the rows whose target is not kIgnoredClass.
at::Tensor classLoss(const at::Tensor& logits /*[N,K]*/, const at::Tensor& targets /*[N] int64*/);

/// 3 · binary cross-entropy + Dice, per mask, weighted mean over the masks. Targets are the share
/// of each pixel that the object covers, 0..1.
at::Tensor maskLoss(const at::Tensor& logits /*[N,H,W]*/, const at::Tensor& targets /*[N,H,W]*/,
    const at::Tensor& weights /*[N]*/);

/// Binary cross-entropy whose positives count kSimilarityPositiveWeight times: most patches of a
/// query are background.
at::Tensor similarityLoss(const at::Tensor& logits /*[N,...]*/, const at::Tensor& targets);
inline constexpr double kSimilarityPositiveWeight = 3;

/// Squared error between predicted scores and the IoU the masks really have.
at::Tensor scoreLoss(const at::Tensor& scores /*[N]*/, const at::Tensor& iou /*[N]*/);

/// Absolute error of boxes, mean over the rows with weight > 0.
at::Tensor boxLoss(const at::Tensor& boxes /*[N,4]*/, const at::Tensor& targets /*[N,4]*/,
    const at::Tensor& weights /*[N]*/);

/// IoU of thresholded logits (> 0) with thresholded targets (> 0.5); 1 where both are empty.
/// Carries no gradient.
at::Tensor maskIou(const at::Tensor& logits /*[N,H,W]*/, const at::Tensor& targets /*[N,H,W]*/);

} // namespace maskscope
