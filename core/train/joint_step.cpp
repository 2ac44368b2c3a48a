// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/joint_step.h"

#include "core/train/object_targets.h"
#include "core/train/object_terms.h"
#include "core/train/prompt_terms.h"
#include "core/train/word_terms.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <utility>

namespace maskscope {
namespace {

/// Masks of words that are painted in a step, for each picture: painting costs most, and a request
/// for everything has many.
constexpr double kMostTextMasks = 2.5;

} // namespace

StepResult jointStep(const Lens& lens, const TrainingMaterial& material,
    std::span<const Example> examples, RandomStream& random) {
    const PictureSize picture{
        examples.front().scene.image.width, examples.front().scene.image.height};
    const auto features = lens.encode(pixelsOf(examples));
    const AttentionRun run;
    const auto image = lens.describe(features, run);
    LossSum sum;
    addPatchClasses(sum, image, examples, std::int64_t(lens.config().classes.size()));
    const auto matched = addObjects(sum, image, examples);
    auto words = addWords(sum, lens, material, image, examples, matched);
    const auto most
        = static_cast<std::size_t>(std::lround(kMostTextMasks * double(examples.size())));
    addWordMasks(sum, lens, image, std::move(words), picture, random, most);
    addPrompts(sum, lens, image, examples, picture, random);
    sum.figures.add(Figure::Loss, sum.loss.item<double>());
    return {sum.loss, sum.figures};
}

StepResult languageStep(
    const Lens& lens, const TrainingMaterial& material, std::span<const Example> examples) {
    const auto features = [&] {
        const at::NoGradGuard guard;
        return lens.encode(pixelsOf(examples));
    }();
    const auto image = lens.describe(features);
    LossSum sum;
    addWords(sum, lens, material, image, examples, matchObjects(image.found, examples));
    sum.figures.add(Figure::Loss, sum.loss.item<double>());
    return {sum.loss, sum.figures};
}

StepResult visionStep(const Lens& lens, std::span<const Example> examples) {
    const auto features = lens.encode(pixelsOf(examples));
    const auto image = lens.describe(features);
    LossSum sum;
    addPatchClasses(sum, image, examples, std::int64_t(lens.config().classes.size()));
    addObjects(sum, image, examples);
    sum.figures.add(Figure::Loss, sum.loss.item<double>());
    return {sum.loss, sum.figures};
}

} // namespace maskscope
