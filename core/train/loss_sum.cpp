// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/loss_sum.h"

#include "core/train/losses.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <vector>

namespace maskscope {
namespace {

constexpr double kSimilarity = 1, kScore = 0.5, kBox = 0.5; // weights of the terms

} // namespace

void LossSum::add(Figure figure, double weight, const at::Tensor& term) {
    figures.add(figure, term.item<double>());
    loss = loss.defined() ? loss + weight * term : weight * term;
}

void LossSum::addMasks(
    Figure figure, double weight, const MaskOutput& output, const MaskTargets& targets) {
    if (output.logits.size(0) == 0)
        return;
    const auto logits = output.logits.squeeze(1);
    add(figure, weight, maskLoss(logits, targets.half, at::ones({logits.size(0)})));
    add(Figure::Similarity, kSimilarity, similarityLoss(output.similarity, targets.patches));
    add(Figure::Score, kScore, scoreLoss(output.score, maskIou(logits, targets.half)));
    add(Figure::Box, kBox, boxLoss(output.box, targets.boxes, targets.boxWeights));
}

double meanIou(const MaskOutput& output, const MaskTargets& targets) {
    return maskIou(output.logits.squeeze(1), targets.half).mean().item<double>();
}

MaskTargets targetsOf(std::span<const PromptedObject> objects, PictureSize size) {
    std::vector<std::vector<std::uint8_t>> masks;
    for (const auto& object : objects)
        masks.push_back(object.target);
    return maskTargets(masks, size.width, size.height);
}

} // namespace maskscope
