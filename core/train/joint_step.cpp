// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/joint_step.h"

#include "core/train/losses.h"
#include "core/train/prompting.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace maskscope {
namespace {

// Weights of the terms.
constexpr double kAnswer = 1, kMaskClass = 1, kPatchClass = 1, kNaming = 0.5, kSimilarity = 1,
                 kTextMask = 1.5, kPromptMask = 1, kScore = 0.5, kBox = 0.5;

/// Smaller visible objects, in pixels, are not clicked: a click on them is a lottery at stride 16.
constexpr std::int64_t kSmallestClicked = 64;

/// Masks of words that are painted in a step, for each picture: painting costs most, and a request
/// for everything has many.
constexpr double kMostTextMasks = 2.5;

/// The loss in the making.
struct Sum {
    at::Tensor loss;
    Figures figures;

    void add(Figure figure, double weight, const at::Tensor& term) {
        figures.add(figure, term.item<double>());
        loss = loss.defined() ? loss + weight * term : weight * term;
    }

    /// All that is asked of a mask.
    void addMasks(
        Figure figure, double weight, const MaskOutput& output, const MaskTargets& targets) {
        if (output.logits.size(0) == 0)
            return;
        const auto logits = output.logits.squeeze(1);
        add(figure, weight, maskLoss(logits, targets.half, at::ones({logits.size(0)})));
        add(Figure::Similarity, kSimilarity, similarityLoss(output.similarity, targets.patches));
        add(Figure::Score, kScore, scoreLoss(output.score, maskIou(logits, targets.half)));
        add(Figure::Box, kBox, boxLoss(output.box, targets.boxes, targets.boxWeights));
    }
};

struct Picture {
    int width = 0;
    int height = 0;
};

double meanIou(const MaskOutput& output, const MaskTargets& targets) {
    return maskIou(output.logits.squeeze(1), targets.half).mean().item<double>();
}

MaskTargets targetsOf(std::span<const PromptedObject> objects, Picture picture) {
    std::vector<std::vector<std::uint8_t>> masks;
    for (const auto& object : objects)
        masks.push_back(object.target);
    return maskTargets(masks, picture.width, picture.height);
}

void addPatchClasses(Sum& sum, const ImageFeatures& image, std::span<const Example> examples,
    std::int64_t background) {
    const auto classes = patchClassesOf(examples).flatten();
    const auto logits = image.classLogits.flatten(0, 1);
    sum.add(Figure::PatchClass, kPatchClass, classLoss(logits, classes));
    const auto objects = classes.lt(background);
    const auto right = logits.detach().argmax(1).eq(classes).logical_and(objects);
    const auto count = objects.sum().item<double>();
    if (count > 0)
        sum.figures.add(Figure::PatchRight, right.sum().item<double>() / count);
}

/// Drops random objects until `most` are left; gives the places of those that stay, in order.
std::vector<std::int64_t> keepSome(
    std::vector<PromptedObject>& objects, std::size_t most, RandomStream& random) {
    std::vector<std::int64_t> places(objects.size());
    std::iota(places.begin(), places.end(), 0);
    while (places.size() > most) {
        const auto dropped = random.below(int(places.size()));
        places.erase(places.begin() + dropped);
        objects.erase(objects.begin() + dropped);
    }
    return places;
}

/// Words: the answers' tokens and what their <|mask|> states name and paint.
void addWords(Sum& sum, const Lens& lens, const TrainingMaterial& material,
    const ImageFeatures& image, std::span<const Example> examples, Picture picture,
    RandomStream& random) {
    sum.add(Figure::Naming, kNaming,
        classLoss(lens.nameLogits(), at::tensor(material.namedClasses(), at::kLong)));
    std::vector<std::vector<RequestTokens>> tokens;
    std::vector<PromptedObject> objects; // of the masks, in the order of the packed sequence
    std::vector<std::int64_t> classes;
    for (std::size_t b = 0; b < examples.size(); ++b) {
        tokens.push_back(examples[b].tokens);
        for (const auto& request : examples[b].requests)
            for (const auto& mask : request.masks) {
                objects.push_back(
                    {std::int64_t(b), examples[b].scene.unionOf(mask.objects), ObjectPrompt{}});
                classes.push_back(mask.classIndex);
            }
    }
    const auto packed = packRequests(tokens, image.tokens.size(1), material.control().mask);
    const auto words = at::where(packed.words.unsqueeze(-1), lens.embedWords(packed.ids, image),
        lens.language().embed(packed.ids));
    const auto embeddings = at::cat({image.tokens, words}, 1);
    const auto hidden
        = lens.language().forward(embeddings, packed.positions, packed.mask).flatten(0, 1);
    const auto logits = lens.language().logits(hidden.index_select(0, packed.answerRows));
    sum.add(Figure::Answer, kAnswer, classLoss(logits, packed.answerTokens));
    if (objects.empty())
        return;

    auto states = hidden.index_select(0, packed.maskRows);
    sum.add(Figure::MaskClass, kMaskClass,
        classLoss(lens.decoder().classLogits(states), at::tensor(classes, at::kLong)));
    const auto kept = keepSome(
        objects, static_cast<std::size_t>(kMostTextMasks * double(examples.size()) + 0.5), random);
    states = states.index_select(0, at::tensor(kept, at::kLong));
    const AttentionRun run;
    const auto targets = targetsOf(objects, picture);
    const auto output = lens.maskFromStates(
        image, states, mapsOf(objects, image.gridHeight, image.gridWidth), imagesOf(objects), run);
    sum.addMasks(Figure::TextMask, kTextMask, output, targets);
    sum.figures.add(Figure::TextIou, meanIou(output, targets));

    // Words and a click together, for some of them.
    const auto count = std::min(objects.size(), (examples.size() + 2) / 3);
    const auto first = static_cast<std::size_t>(random.below(int(objects.size() - count + 1)));
    const auto some = std::span(objects).subspan(first, count);
    const auto begin = std::int64_t(first), end = std::int64_t(first + count);
    clickOnErrors(some, output.logits.slice(0, begin, end), picture.width, picture.height, random);
    const auto refined = lens.maskFromStates(image, states.slice(0, begin, end),
        mapsOf(some, image.gridHeight, image.gridWidth), imagesOf(some), run);
    sum.addMasks(Figure::PromptMask, kPromptMask / 2, refined, targetsOf(some, picture));
}

/// Two objects of a picture: one clicked, one boxed.
std::vector<PromptedObject> promptedObjects(
    std::span<const Example> examples, Picture picture, RandomStream& random, bool boxed) {
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

void addPrompts(Sum& sum, const Lens& lens, const ImageFeatures& image,
    std::span<const Example> examples, Picture picture, RandomStream& random) {
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

} // namespace

std::string_view nameOf(Figure figure) {
    constexpr std::array<std::string_view, kFigures> kNames{"loss", "answer", "mask_class",
        "patch_class", "naming", "similarity", "text_mask", "prompt_mask", "score", "box",
        "patch_right", "text_iou", "click_iou", "box_iou", "refined_iou"};
    return kNames[static_cast<std::size_t>(figure)];
}

void Figures::add(Figure figure, double value) {
    m_sums[static_cast<std::size_t>(figure)] += value;
    m_counts[static_cast<std::size_t>(figure)] += 1;
}

void Figures::add(const Figures& other) {
    for (std::size_t i = 0; i < kFigures; ++i) {
        m_sums[i] += other.m_sums[i];
        m_counts[i] += other.m_counts[i];
    }
}

double Figures::mean(Figure figure) const {
    const auto i = static_cast<std::size_t>(figure);
    return m_counts[i] > 0 ? m_sums[i] / m_counts[i] : 0;
}

StepResult jointStep(const Lens& lens, const TrainingMaterial& material,
    std::span<const Example> examples, RandomStream& random) {
    const Picture picture{examples.front().scene.image.width, examples.front().scene.image.height};
    const auto features = [&] {
        const at::NoGradGuard guard;
        return lens.encode(pixelsOf(examples));
    }();
    const AttentionRun run;
    const auto image = lens.describe(features, run);
    Sum sum;
    addPatchClasses(sum, image, examples, std::int64_t(lens.config().classes.size()));
    addWords(sum, lens, material, image, examples, picture, random);
    addPrompts(sum, lens, image, examples, picture, random);
    sum.figures.add(Figure::Loss, sum.loss.item<double>());
    return {sum.loss, sum.figures};
}

} // namespace maskscope
