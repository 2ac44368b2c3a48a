// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/word_terms.h"

#include "core/train/losses.h"
#include "core/train/packing.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <utility>

namespace maskscope {
namespace {

constexpr double kAnswer = 1, kNaming = 0.5, kMaskClass = 1, kAsked = 1, kPointer = 1,
                 kTextMask = 1.5,
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

/// What answers have painted, from mask to mask, and at which of their tokens.
struct PaintedAnswers {
    std::vector<float> now, ever; ///< [S, M] see AnswerObjects
    std::vector<std::int64_t> requests; ///< [S] of which request of the batch
    std::vector<std::int64_t> atRow; ///< [A] which of them holds at each of packed.answerRows
};

/// The masks of one answer, in order.
void appendMasks(std::vector<WordMask>& masks, std::int64_t image, const Scene& scene,
    const SceneRequest& request, const std::vector<int>& matched) {
    for (const auto& target : request.masks)
        masks.push_back(wordMask(image, scene, target, matched));
}

/// masks: of the answer, in order.
void appendAnswer(PaintedAnswers& painted, std::int64_t request, std::size_t objects,
    std::span<const WordMask> masks, std::span<const std::int64_t> answer, std::int64_t maskToken) {
    std::vector<float> now(objects, 0.0F), ever = now;
    const auto append = [&] {
        painted.now.insert(painted.now.end(), now.begin(), now.end());
        painted.ever.insert(painted.ever.end(), ever.begin(), ever.end());
        painted.requests.push_back(request);
    };
    append();
    auto next = masks.begin();
    for (const auto token : answer) {
        painted.atRow.push_back(std::int64_t(painted.requests.size()) - 1);
        if (token != maskToken)
            continue;
        now = (next++)->meant;
        std::ranges::transform(ever, now, ever.begin(),
            [](float before, float also) { return std::max(before, also); });
        append();
    }
}

/// Of the states before the answers' tokens: [A, V].
at::Tensor answerLogits(const Lens& lens, const TrainingMaterial& material,
    const ImageFeatures& image, const PackedRequests& packed, const at::Tensor& hidden,
    const at::Tensor& asked /*[R, M]*/, const PaintedAnswers& painted) {
    const auto states = hidden.index_select(0, packed.answerRows); // [A, C]
    const auto count = std::int64_t(painted.requests.size());
    const auto rows = at::tensor(painted.atRow, at::kLong);
    const auto ofState = [&](const std::vector<float>& objects) {
        return at::tensor(objects).view({count, -1}).index_select(0, rows);
    };
    const auto requests = at::tensor(painted.requests, at::kLong).index_select(0, rows); // [A]
    const auto& control = material.control();
    const auto evidence = lens.evidence(image, states,
        {at::sigmoid(asked.detach()).index_select(0, requests), ofState(painted.now),
            ofState(painted.ever)},
        {lens.tokenClasses(), control.mask, control.end},
        packed.imageOfPrompt.index_select(0, requests));
    return lens.language().logits(states) + evidence;
}

/// Which found objects the requests ask for: logits [R, M].
at::Tensor addAsked(LossSum& sum, const Lens& lens, const ImageFeatures& image,
    const PackedRequests& packed, const at::Tensor& hidden, std::span<const Example> examples,
    const std::vector<std::vector<int>>& matched) {
    auto asked = lens.asked(image, hidden.index_select(0, packed.promptRows), packed.imageOfPrompt);
    std::vector<float> wanted; // [R, M]
    for (std::size_t b = 0; b < examples.size(); ++b)
        for (const auto& request : examples[b].requests)
            for (const int of : matched[b])
                wanted.push_back(std::ranges::any_of(request.masks,
                                     [of](const MaskTarget& mask) {
                                         return std::ranges::count(mask.objects, of) > 0;
                                     })
                        ? 1.0F
                        : 0.0F);
    const auto target = at::tensor(wanted).view_as(asked);
    const auto there = image.found.scores.index_select(0, packed.imageOfPrompt).gt(0);
    const auto each
        = at::binary_cross_entropy_with_logits(asked, target, {}, {}, at::Reduction::None);
    sum.add(Figure::Asked, kAsked, (each * there).sum() / there.sum().clamp_min(1));
    const auto right = asked.detach().gt(0).eq(target.gt(0)).logical_or(there.logical_not());
    sum.figures.add(Figure::AskedRight, right.all(1).to(at::kFloat).mean().item<double>());
    return asked;
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
    PaintedAnswers painted;
    std::int64_t request = 0;
    for (std::size_t b = 0; b < examples.size(); ++b) {
        const auto& example = examples[b];
        tokens.push_back(example.tokens);
        for (std::size_t i = 0; i < example.requests.size(); ++i) {
            const auto before = words.masks.size();
            appendMasks(
                words.masks, std::int64_t(b), example.scene, example.requests[i], matched[b]);
            appendAnswer(painted, request++, matched[b].size(),
                std::span(words.masks).subspan(before), example.tokens[i].answer,
                material.control().mask);
        }
    }
    std::vector<std::int64_t> classes;
    for (const auto& mask : words.masks)
        classes.push_back(mask.classIndex);
    const auto packed = packRequests(tokens, image.tokens.size(1), material.control().mask);
    const auto embedded = at::where(packed.words.unsqueeze(-1), lens.embedWords(packed.ids, image),
        lens.language().embed(packed.ids));
    const auto hidden
        = lens.language()
              .forward(at::cat({image.tokens, embedded}, 1), packed.positions, packed.mask)
              .flatten(0, 1);
    const auto asked = addAsked(sum, lens, image, packed, hidden, examples, matched);
    const auto logits = answerLogits(lens, material, image, packed, hidden, asked, painted);
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
