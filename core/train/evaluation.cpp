// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluation.h"

#include "core/mask/mask_geometry.h"
#include "core/train/answering.h"
#include "core/train/object_targets.h"
#include "core/train/prompting.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace maskscope {
namespace {

using Values = std::map<std::string, std::vector<double>>; // of one scene
using Bits = std::vector<std::uint8_t>;

/// A scene, its features and where its figures go.
struct Case {
    const Lens& lens;
    const TrainingMaterial& material;
    const Example& example;
    const ImageFeatures& image;
    Values& values;

    const Scene& scene() const { return example.scene; }
    int width() const { return scene().image.width; }
    int height() const { return scene().image.height; }
};

void judgeFound(const Case& c) {
    const auto& found = c.image.found;
    const auto matched = matchObjects(found, {&c.example, 1}).front();
    const auto classes = found.classes[0].argmax(1);
    double count = 0;
    for (std::size_t i = 0; i < matched.size(); ++i) {
        const bool named = matched[i] >= 0
            && c.scene().objects[std::size_t(matched[i])].classIndex < c.material.classes().size();
        count += matched[i] >= 0;
        if (named)
            c.values["class.object"].push_back(classes[std::int64_t(i)].item<std::int64_t>()
                == c.scene().objects[std::size_t(matched[i])].classIndex);
    }
    c.values["found"].push_back(count / double(c.scene().objects.size()));
    const auto claimed = found.scores.gt(0.3).sum().item<double>();
    c.values["found.wrong"].push_back(std::max(0.0, claimed - count));
}

void judgePatches(const Case& c) {
    const auto classes = patchClassesOf({&c.example, 1})[0];
    const auto named = classes.lt(c.material.classes().size());
    const auto right = c.image.classLogits[0].argmax(1).eq(classes).logical_and(named);
    const auto count = named.sum().item<double>();
    if (count > 0)
        c.values["class.patch"].push_back(right.sum().item<double>() / count);
}

/// What an answer painted.
struct Painted {
    std::vector<Bits> masks;
    std::vector<double> scores;
    std::vector<std::int64_t> classes; // named by the states
};

std::vector<Painted> paint(const Case& c, const std::vector<GreedyAnswer>& answers) {
    std::vector<Painted> painted(answers.size());
    std::vector<at::Tensor> all, meant;
    for (const auto& answer : answers)
        if (answer.states.defined()) {
            all.push_back(answer.states);
            meant.push_back(answer.meant);
        }
    if (all.empty())
        return painted;
    const auto states = at::cat(all);
    const std::vector<PromptedObject> nothing(static_cast<std::size_t>(states.size(0)));
    const auto output = c.lens.maskFromStates(c.image, states, at::cat(meant),
        mapsOf(nothing, c.image.gridHeight, c.image.gridWidth),
        at::zeros({states.size(0)}, at::kLong), AttentionRun{});
    auto bits = bitsOf(output.logits, c.width(), c.height());
    const auto classes = c.lens.decoder().classLogits(states).argmax(1);
    std::int64_t next = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const std::int64_t count = answers[i].states.defined() ? answers[i].states.size(0) : 0;
        for (std::int64_t k = 0; k < count; ++k, ++next) {
            painted[i].masks.push_back(std::move(bits[static_cast<std::size_t>(next)]));
            painted[i].scores.push_back(output.score[next].item<double>());
            painted[i].classes.push_back(classes[next].item<std::int64_t>());
        }
    }
    return painted;
}

/// The union of the masks painted for a class, or of all if the request means one class only.
Bits unionFor(const Painted& painted, std::int64_t classIndex, bool only, std::size_t size) {
    Bits bits(size, 0);
    for (std::size_t i = 0; i < painted.masks.size(); ++i)
        if (only || painted.classes[i] == classIndex)
            std::ranges::transform(bits, painted.masks[i], bits.begin(), std::bit_or{});
    return bits;
}

/// What the words of a request mean together, class by class, whoever paints what of it.
void judgePhrases(const Case& c, const SceneRequest& request, const Painted& painted) {
    std::vector<const MaskTarget*> phrases;
    for (const auto& target : request.masks)
        if (phrases.empty() || phrases.back()->phrase != target.phrase)
            phrases.push_back(&target);
    for (const auto* phrase : phrases) {
        const auto wanted = c.scene().unionOf(phrase->phrase);
        const double iou = iouOf(
            unionFor(painted, phrase->classIndex, phrases.size() == 1, wanted.size()), wanted);
        c.values["text"].push_back(iou);
        c.values["text." + std::string(nameOf(request.kind))].push_back(iou);
        c.values["text.class." + c.material.classes().at(int(phrase->classIndex)).singular]
            .push_back(iou);
    }
}

/// Masks one by one: each object's best mask that no other object has.
void judgeObjects(const Case& c, const SceneRequest& request, const Painted& painted) {
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs; // IoU, target, mask
    for (std::size_t k = 0; k < request.masks.size(); ++k)
        for (std::size_t i = 0; i < painted.masks.size(); ++i)
            pairs.emplace_back(
                iouOf(painted.masks[i], c.scene().unionOf(request.masks[k].objects)), k, i);
    std::ranges::sort(pairs, std::greater{});
    std::vector<bool> targetDone(request.masks.size()), maskDone(painted.masks.size());
    double hits = 0;
    for (const auto& [iou, k, i] : pairs) {
        if (targetDone[k] || maskDone[i])
            continue;
        targetDone[k] = maskDone[i] = true;
        hits += iou >= 0.5;
        c.values["class.mask"].push_back(painted.classes[i] == request.masks[k].classIndex);
        c.values["score.error"].push_back(std::abs(painted.scores[i] - iou));
    }
    const bool together = std::ranges::any_of(
        request.masks, [](const MaskTarget& target) { return target.objects.size() > 1; });
    if (request.masks.size() >= 2 && !together)
        c.values["objects.f1"].push_back(
            2 * hits / double(request.masks.size() + painted.masks.size()));
}

/// A scene that was judged before.
struct Earlier {
    Example example;
    ImageFeatures image;
};

AskedWords askedWords(const Case& c, std::size_t request) {
    return {c.example.tokens[request].prompt,
        UnknownWord(c.material.tokenizer(), c.example.requests[request].text)};
}

/// Whether answers change with another picture where what is asked for is there in another number.
void judgeSwap(const Case& c, const Earlier& other, const std::vector<GreedyAnswer>& answers) {
    std::vector<std::size_t> asked;
    std::vector<AskedWords> prompts;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto& request = c.example.requests[i];
        const bool ofClass = request.kind == RequestKind::One || request.kind == RequestKind::Absent
            || request.kind == RequestKind::Count;
        if (!ofClass
            || c.scene().countOf(request.askedClasses[0])
                == other.example.scene.countOf(request.askedClasses[0]))
            continue;
        asked.push_back(i);
        prompts.push_back(askedWords(c, i));
    }
    const auto& control = c.material.control();
    const auto swapped = greedyAnswers(
        c.lens, other.image, prompts, c.material.tokenizer(), {control.end, control.mask});
    for (std::size_t k = 0; k < asked.size(); ++k)
        c.values["swap.changed"].push_back(swapped[k].tokens != answers[asked[k]].tokens);
}

std::vector<GreedyAnswer> judgeWords(const Case& c) {
    std::vector<AskedWords> prompts;
    for (std::size_t i = 0; i < c.example.requests.size(); ++i)
        prompts.push_back(askedWords(c, i));
    const auto& control = c.material.control();
    auto answers = greedyAnswers(
        c.lens, c.image, prompts, c.material.tokenizer(), {control.end, control.mask});
    const auto painted = paint(c, answers);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto& request = c.example.requests[i];
        judgePhrases(c, request, painted[i]);
        judgeObjects(c, request, painted[i]);
        auto right = c.example.tokens[i].answer;
        right.pop_back(); // <|end|>
        const bool same = answers[i].tokens == right;
        c.values["answer"].push_back(same);
        c.values["answer." + std::string(nameOf(request.kind))].push_back(same);
        if (request.kind == RequestKind::Count)
            c.values[request.missing ? "count.none" : "count"].push_back(same);
        if (request.kind == RequestKind::One)
            c.values["absence.found"].push_back(!painted[i].masks.empty());
        if (request.kind == RequestKind::Absent)
            c.values["absence.missed"].push_back(painted[i].masks.empty());
    }
    return answers;
}

double promptIou(const Case& c, PromptedObject& object, at::Tensor* logits) {
    const auto output = c.lens.maskFromPrompts(c.image,
        mapsOf({&object, 1}, c.image.gridHeight, c.image.gridWidth), imagesOf({&object, 1}),
        AttentionRun{});
    if (logits)
        *logits = output.logits;
    return iouOf(bitsOf(output.logits, c.width(), c.height()).front(), object.target);
}

/// The masks that one click may mean: whether the best by score is the best, and how good the best
/// of them is. Gives the logits of the first.
void judgeCandidates(const Case& c, PromptedObject& clicked, at::Tensor& logits) {
    const auto maps = mapsOf({&clicked, 1}, c.image.gridHeight, c.image.gridWidth);
    const auto meanings = meaningsOfClick(c.image.found, maps); // [K, M]
    const auto first = at::zeros({1}, at::kLong);
    double best = 0, chosen = 0, highest = -1;
    for (std::int64_t k = 0; k < meanings.size(0); ++k) {
        const auto output = c.lens.maskFromPrompts(
            c.image, maps, meanings.narrow(0, k, 1), first, AttentionRun{});
        const double iou
            = iouOf(bitsOf(output.logits, c.width(), c.height()).front(), clicked.target);
        const auto score = output.score.item<double>();
        c.values["score.click.error"].push_back(std::abs(score - iou));
        c.values["score.click.bias"].push_back(score - iou);
        if (k == 0) {
            logits = output.logits;
            c.values["click.1"].push_back(iou);
        }
        if (score > highest) {
            highest = score;
            chosen = iou;
        }
        best = std::max(best, iou);
    }
    c.values["click.1.scored"].push_back(chosen);
    c.values["click.1.candidates"].push_back(best);
}

constexpr int kMostClicks = 10;

/// Clicks as in the evaluation of interactive segmentation: the first in the middle of the object,
/// each further one in the middle of the largest part that is wrong.
void judgePrompts(const Case& c, int count, RandomStream& random) {
    std::vector<const SceneObject*> candidates;
    for (const auto& object : c.scene().objects)
        if (object.area >= 64)
            candidates.push_back(&object);
    for (; count > 0 && !candidates.empty(); --count) {
        const auto chosen = candidates.begin() + random.below(int(candidates.size()));
        PromptedObject clicked{0, (*chosen)->mask, ObjectPrompt{}};
        PromptedObject boxed = clicked;
        candidates.erase(chosen);

        const MaskView view{clicked.target, c.width(), c.height()};
        const Bits empty(clicked.target.size(), 0);
        addClick(clicked, nextClick(view, {empty, c.width(), c.height()}, random), c.width(),
            c.height());
        at::Tensor logits;
        judgeCandidates(c, clicked, logits);
        double iou = c.values["click.1"].back();
        int for85 = iou >= 0.85 ? 1 : 0, for90 = iou >= 0.9 ? 1 : 0;
        for (int clicks = 2; clicks <= kMostClicks && (clicks <= 5 || for90 == 0); ++clicks) {
            clickOnErrors({&clicked, 1}, logits, c.width(), c.height(), random);
            iou = promptIou(c, clicked, &logits);
            if (clicks <= 3 || clicks == 5)
                c.values["click." + std::to_string(clicks)].push_back(iou);
            for85 = for85 == 0 && iou >= 0.85 ? clicks : for85;
            for90 = for90 == 0 && iou >= 0.9 ? clicks : for90;
        }
        c.values["clicks.for.85"].push_back(for85 == 0 ? kMostClicks : for85);
        c.values["clicks.for.90"].push_back(for90 == 0 ? kMostClicks : for90);
        setBox(boxed, drawnBox(view, random, 0), c.width(), c.height());
        c.values["box"].push_back(promptIou(c, boxed, nullptr));
    }
}

} // namespace

Evaluation evaluate(const Lens& lens, const TrainingMaterial& material, SceneSet set,
    const EvaluationSettings& settings, const std::function<void(int)>& onScene) {
    const at::NoGradGuard guard;
    std::map<std::string, std::vector<std::vector<double>>> byFigure;
    std::optional<Earlier> earlier;
    for (int i = 0; i < settings.scenes; ++i) {
        const auto seed = mixSeed(settings.seed, static_cast<std::uint64_t>(i));
        auto example
            = material.example(set, seed, settings.width, settings.height, settings.requests);
        auto image = lens.describe(lens.encode(pixelsOf({&example, 1})), AttentionRun{});
        Values values;
        const Case c{lens, material, example, image, values};
        RandomStream random(seed);
        judgePatches(c);
        judgeFound(c);
        const auto answers = judgeWords(c);
        if (earlier)
            judgeSwap(c, *earlier, answers);
        judgePrompts(c, settings.prompted, random);
        for (auto& [name, list] : values)
            byFigure[name].push_back(std::move(list));
        earlier = Earlier{std::move(example), std::move(image)};
        if (onScene)
            onScene(i + 1);
    }
    Evaluation evaluation;
    for (const auto& [name, scenes] : byFigure)
        evaluation.figures[name] = bootstrapMean(scenes);
    return evaluation;
}

std::string evaluationJson(const std::map<std::string, Evaluation>& sets,
    const EvaluationSettings& settings, const std::string& model) {
    nlohmann::ordered_json json;
    json["model"] = model;
    json["scenes"] = settings.scenes;
    json["width"] = settings.width;
    json["height"] = settings.height;
    json["seed"] = settings.seed;
    const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
    for (const auto& [set, evaluation] : sets)
        for (const auto& [name, figure] : evaluation.figures)
            json["sets"][set][name] = {{"mean", rounded(figure.mean)}, {"low", rounded(figure.low)},
                {"high", rounded(figure.high)}, {"count", figure.count}};
    return json.dump(2) + "\n";
}

std::string evaluationTable(const std::map<std::string, Evaluation>& sets) {
    std::string table = "| figure |";
    std::string line = "| --- |";
    std::map<std::string, bool> names;
    for (const auto& [set, evaluation] : sets) {
        table += " " + set + " |";
        line += " --- |";
        for (const auto& [name, figure] : evaluation.figures)
            names[name] = true;
    }
    table += "\n" + line + "\n";
    for (const auto& [name, present] : names) {
        table += "| " + name + " |";
        for (const auto& [set, evaluation] : sets) {
            const auto found = evaluation.figures.find(name);
            char cell[80] = " – |";
            if (found != evaluation.figures.end())
                std::snprintf(cell, sizeof cell, " %.3f (%.3f–%.3f, %zu) |", found->second.mean,
                    found->second.low, found->second.high, found->second.count);
            table += cell;
        }
        table += "\n";
    }
    return table;
}

} // namespace maskscope
