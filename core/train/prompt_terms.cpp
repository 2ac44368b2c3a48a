// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/prompt_terms.h"

#include "core/train/losses.h"

#include <ATen/core/grad_mode.h>

#include <vector>

namespace maskscope {
namespace {

constexpr double kPromptMask = 1; // weight

/// Smaller visible objects, in pixels, are not clicked: a click on them is a lottery at stride 16.
constexpr std::int64_t kSmallestClicked = 64;

/// Two objects of a picture: one clicked, one boxed.
std::vector<PromptedObject> promptedObjects(
    std::span<const Example> examples, PictureSize picture, RandomStream& random, bool boxed) {
    std::vector<PromptedObject> prompted;
    for (std::size_t b = 0; b < examples.size(); ++b) {
        std::vector<const SceneObject*> candidates;
        for (const auto& object : examples[b].scene.objects)
            if (object.area >= kSmallestClicked)
                candidates.push_back(&object);
        if (candidates.empty())
            continue;
        PromptedObject object{std::int64_t(b), random.pick(candidates)->mask, ObjectPrompt{}};
        const MaskView view{object.target, picture.width, picture.height};
        if (boxed)
            setBox(object, drawnBox(view, random), picture.width, picture.height);
        if (!boxed || random.chance(0.2))
            addClick(object, firstClick(view, random), picture.width, picture.height);
        prompted.push_back(std::move(object));
    }
    return prompted;
}

} // namespace

void addPrompts(LossSum& sum, const Lens& lens, const ImageFeatures& image,
    std::span<const Example> examples, PictureSize picture, RandomStream& random) {
    auto clicked = promptedObjects(examples, picture, random, /*boxed=*/false);
    const auto boxed = promptedObjects(examples, picture, random, /*boxed=*/true);
    if (clicked.empty())
        return;
    const auto count = std::int64_t(clicked.size());
    std::vector<PromptedObject> all = clicked;
    all.insert(all.end(), boxed.begin(), boxed.end());
    const AttentionRun run;
    const auto decode = [&](std::span<const PromptedObject> objects) {
        return lens.maskFromPrompts(
            image, mapsOf(objects, image.gridHeight, image.gridWidth), imagesOf(objects), run);
    };

    const auto targets = targetsOf(all, picture);
    const auto output = decode(all);
    sum.addMasks(Figure::PromptMask, kPromptMask, output, targets);
    const auto iou = maskIou(output.logits.squeeze(1), targets.half);
    sum.figures.add(Figure::ClickIou, iou.slice(0, 0, count).mean().item<double>());
    sum.figures.add(Figure::BoxIou, iou.slice(0, count).mean().item<double>());

    // Now and then the clicks in between are made without gradients.
    auto logits = output.logits.slice(0, 0, count);
    for (int skipped = random.chance(0.5) ? random.between(1, 2) : 0; skipped > 0; --skipped) {
        const at::NoGradGuard guard;
        clickOnErrors(clicked, logits, picture.width, picture.height, random);
        logits = decode(clicked).logits;
    }
    clickOnErrors(clicked, logits, picture.width, picture.height, random);
    const auto refined = decode(clicked);
    const auto refinedTargets = targetsOf(clicked, picture);
    sum.addMasks(Figure::PromptMask, kPromptMask, refined, refinedTargets);
    sum.figures.add(Figure::RefinedIou, meanIou(refined, refinedTargets));
}

} // namespace maskscope
