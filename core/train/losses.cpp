// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/losses.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

namespace maskscope {
namespace {

constexpr double kMaskEntropyWeight = 3;

at::Tensor nothing(const at::Tensor& like) {
    return at::zeros({}, like.options());
}

at::Tensor weightedMean(const at::Tensor& values /*[N]*/, const at::Tensor& weights /*[N]*/) {
    return (values * weights).sum() / weights.sum().clamp_min(1e-6);
}

} // namespace

at::Tensor classLoss(const at::Tensor& logits, const at::Tensor& targets) {
    if (targets.numel() == 0 || !targets.ne(kIgnoredClass).any().item<bool>())
        return nothing(logits);
    return at::cross_entropy_loss(logits, targets, {}, at::Reduction::Mean, kIgnoredClass);
}

at::Tensor maskLoss(
    const at::Tensor& logits, const at::Tensor& targets, const at::Tensor& weights) {
    if (logits.size(0) == 0)
        return nothing(logits);
    const auto flatLogits = logits.flatten(1);
    const auto flatTargets = targets.flatten(1);
    const auto entropy
        = at::binary_cross_entropy_with_logits(flatLogits, flatTargets, {}, {}, at::Reduction::None)
              .mean(1);
    const auto probability = at::sigmoid(flatLogits);
    const auto shared = (probability * flatTargets).sum(1);
    const auto total = probability.sum(1) + flatTargets.sum(1);
    const auto dice = 1 - (2 * shared + 1) / (total + 1);
    return weightedMean(kMaskEntropyWeight * entropy + dice, weights);
}

at::Tensor similarityLoss(const at::Tensor& logits, const at::Tensor& targets) {
    if (logits.numel() == 0)
        return nothing(logits);
    const auto positive = at::full({1}, kSimilarityPositiveWeight, logits.options());
    return at::binary_cross_entropy_with_logits(logits, targets, {}, positive, at::Reduction::Mean);
}

at::Tensor scoreLoss(const at::Tensor& scores, const at::Tensor& iou) {
    return scores.numel() == 0 ? nothing(scores) : at::mse_loss(scores, iou);
}

at::Tensor boxLoss(const at::Tensor& boxes, const at::Tensor& targets, const at::Tensor& weights) {
    return boxes.size(0) == 0 ? nothing(boxes)
                              : weightedMean((boxes - targets).abs().mean(1), weights);
}

at::Tensor maskIou(const at::Tensor& logits, const at::Tensor& targets) {
    const at::NoGradGuard guard;
    const auto predicted = logits.flatten(1).gt(0);
    const auto wanted = targets.flatten(1).gt(0.5);
    const auto shared = predicted.logical_and(wanted).sum(1).to(at::kFloat);
    const auto either = predicted.logical_or(wanted).sum(1).to(at::kFloat);
    return at::where(either.eq(0), at::ones_like(either), shared / either.clamp_min(1));
}

} // namespace maskscope
