// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/word_terms.h"

#include "core/train/losses.h"
#include "core/train/packing.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <utility>

namespace maskscope {
namespace {

constexpr double kAnswer = 1, kNaming = 0.5, kMaskClass = 1, kPointer = 1, kTextMask = 1.5,
                 kRefinedMask = 0.5; // weights of the terms

/// Share of masks of words that are painted without pointing at a found object.
constexpr double kUnpointed = 0.15;

WordMask wordMask(std::int64_t image, const Scene& scene, const MaskTarget& target,
    const std::vector<int>& matched) {
    WordMask mask{{image, scene.unionOf(target.objects), ObjectPrompt{}}, target.classIndex, {}, {},
        target.objects.size() > 1, true};
    std::size_t found = 0;
    for (const int of : matched) {
        mask.meant.push_back(std::ranges::count(target.objects, of) > 0 ? 1.0F : 0.0F);
        mask.phrase.push_back(std::ranges::count(target.phrase, of) > 0 ? 1.0F : 0.0F);
        found += mask.meant.back() > 0;
    }
    // Which of several is meant is told by the found object alone.
    mask.paints = found > 0 || target.objects.size() == target.phrase.size();
    return mask;
}

at::Tensor rowsOf(const std::vector<WordMask>& masks, std::vector<float> WordMask::*row) {
    std::vector<float> values;
    for (const auto& mask : masks)
        values.insert(values.end(), (mask.*row).begin(), (mask.*row).end());
    return at::tensor(values).view({std::int64_t(masks.size()), -1});
}

/// Which found objects the states mean.
void addPointer(LossSum& sum, const Lens& lens, const ImageFeatures& image,
    const at::Tensor& states, const std::vector<WordMask>& masks) {
    std::vector<std::int64_t> images;
    std::vector<float> together;
    for (const auto& mask : masks) {
        images.push_back(mask.object.image);
        together.push_back(mask.together ? 1.0F : 0.0F);
    }
    const auto of = at::tensor(images, at::kLong);
    const auto pointing = lens.point(image, states, of);
    const auto wanted = rowsOf(masks, &WordMask::phrase);
    const auto there = image.found.scores.index_select(0, of).gt(0);
    const auto each = at::binary_cross_entropy_with_logits(
        pointing.objects, wanted, {}, at::full({1}, 2.0), at::Reduction::None);
    const auto whole = at::binary_cross_entropy_with_logits(
        pointing.together, at::tensor(together), {}, {}, at::Reduction::Mean);
    sum.add(
        Figure::Pointer, kPointer, (each * there).sum() / there.sum().clamp_min(1) + 0.3 * whole);
    const auto best = at::where(there, pointing.objects.detach(), -100.0).argmax(1, true);
    const auto reachable = wanted.sum(1).gt(0);
    const auto count = reachable.sum().item<double>();
    if (count > 0)
        sum.figures.add(Figure::PointerRight, wanted.gather(1, best).sum().item<double>() / count);
}

/// Drops masks that are not to be painted, and random ones until `most` are left; gives the places
/// of those that stay, in order.
std::vector<std::int64_t> keepSome(
    std::vector<WordMask>& masks, std::size_t most, RandomStream& random) {
    std::vector<std::int64_t> places;
    std::vector<WordMask> kept;
    for (std::size_t i = 0; i < masks.size(); ++i)
        if (masks[i].paints)
            places.push_back(std::int64_t(i));
    while (places.size() > most)
        places.erase(places.begin() + random.below(int(places.size())));
    kept.reserve(places.size());
    for (const auto place : places)
        kept.push_back(std::move(masks[std::size_t(place)]));
    masks = std::move(kept);
    return places;
}

} // namespace

WordStates addWords(LossSum& sum, const Lens& lens, const TrainingMaterial& material,
    const ImageFeatures& image, std::span<const Example> examples,
    const std::vector<std::vector<int>>& matched) {
    sum.add(Figure::Naming, kNaming,
        classLoss(lens.nameLogits(), at::tensor(material.namedClasses(), at::kLong)));
    std::vector<std::vector<RequestTokens>> tokens;
    WordStates words;
    std::vector<std::int64_t> classes;
    for (std::size_t b = 0; b < examples.size(); ++b) {
        tokens.push_back(examples[b].tokens);
        for (const auto& request : examples[b].requests)
            for (const auto& mask : request.masks) {
                words.masks.push_back(
                    wordMask(std::int64_t(b), examples[b].scene, mask, matched[b]));
                classes.push_back(mask.classIndex);
            }
    }
    const auto packed = packRequests(tokens, image.tokens.size(1), material.control().mask);
    const auto embedded = at::where(packed.words.unsqueeze(-1), lens.embedWords(packed.ids, image),
        lens.language().embed(packed.ids));
    const auto hidden
        = lens.language()
              .forward(at::cat({image.tokens, embedded}, 1), packed.positions, packed.mask)
              .flatten(0, 1);
    const auto logits = lens.language().logits(hidden.index_select(0, packed.answerRows));
    sum.add(Figure::Answer, kAnswer, classLoss(logits, packed.answerTokens));
    if (words.masks.empty())
        return words;
    words.states = hidden.index_select(0, packed.maskRows);
    sum.add(Figure::MaskClass, kMaskClass,
        classLoss(lens.decoder().classLogits(words.states), at::tensor(classes, at::kLong)));
    addPointer(sum, lens, image, words.states, words.masks);
    return words;
}

void addWordMasks(LossSum& sum, const Lens& lens, const ImageFeatures& image, WordStates words,
    PictureSize picture, RandomStream& random, std::size_t most) {
    auto& masks = words.masks;
    const auto kept = keepSome(masks, most, random);
    if (kept.empty())
        return;
    const auto states = words.states.index_select(0, at::tensor(kept, at::kLong));
    std::vector<PromptedObject> objects;
    for (auto& mask : masks) {
        objects.push_back(std::move(mask.object));
        // Sometimes nothing is pointed at, where the words alone say what to paint.
        if (mask.meant == mask.phrase && random.chance(kUnpointed))
            std::ranges::fill(mask.meant, 0.0F);
    }
    const auto meant = rowsOf(masks, &WordMask::meant);
    const AttentionRun run;
    const auto targets = targetsOf(objects, picture);
    const auto output = lens.maskFromStates(image, states, meant,
        mapsOf(objects, image.gridHeight, image.gridWidth), imagesOf(objects), run);
    sum.addMasks(Figure::TextMask, kTextMask, output, targets);
    sum.figures.add(Figure::TextIou, meanIou(output, targets));

    // Words and a click together, for some of them.
    const auto count = (objects.size() + 7) / 8;
    const auto first = static_cast<std::size_t>(random.below(int(objects.size() - count + 1)));
    const auto some = std::span(objects).subspan(first, count);
    const auto begin = std::int64_t(first), end = std::int64_t(first + count);
    clickOnErrors(some, output.logits.slice(0, begin, end), picture.width, picture.height, random);
    const auto refined
        = lens.maskFromStates(image, states.slice(0, begin, end), meant.slice(0, begin, end),
            mapsOf(some, image.gridHeight, image.gridWidth), imagesOf(some), run);
    sum.addMasks(Figure::PromptMask, kRefinedMask, refined, targetsOf(some, picture));
}

} // namespace maskscope
