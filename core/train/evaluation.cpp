// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluation.h"

#include "core/train/answering.h"
#include "core/train/prompting.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

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
    std::vector<at::Tensor> all;
    for (const auto& answer : answers)
        if (answer.states.defined())
            all.push_back(answer.states);
    if (all.empty())
        return painted;
    const auto states = at::cat(all);
    const std::vector<PromptedObject> nothing(static_cast<std::size_t>(states.size(0)));
    const auto output = c.lens.maskFromStates(c.image, states,
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

/// Which painted mask stands for target `k`: the only one, or the one whose state names its class.
std::optional<std::size_t> paintedFor(
    const Painted& painted, const SceneRequest& request, std::size_t k) {
    if (request.masks.size() == 1 && !painted.masks.empty())
        return 0;
    for (std::size_t i = 0; i < painted.classes.size(); ++i)
        if (painted.classes[i] == request.masks[k].classIndex)
            return i;
    return std::nullopt;
}

void judgeMasks(const Case& c, const SceneRequest& request, const Painted& painted) {
    for (std::size_t k = 0; k < request.masks.size(); ++k) {
        const auto found = paintedFor(painted, request, k);
        const double iou
            = found ? iouOf(painted.masks[*found], c.scene().unionOf(request.masks[k].objects)) : 0;
        c.values["text"].push_back(iou);
        c.values["text." + std::string(nameOf(request.kind))].push_back(iou);
        if (found) {
            c.values["class.mask"].push_back(
                painted.classes[*found] == request.masks[k].classIndex);
            c.values["score.error"].push_back(std::abs(painted.scores[*found] - iou));
        }
    }
}

void judgeWords(const Case& c) {
    std::vector<std::vector<std::int64_t>> prompts;
    for (const auto& tokens : c.example.tokens)
        prompts.push_back(tokens.prompt);
    const auto& control = c.material.control();
    const auto answers = greedyAnswers(c.lens, c.image, prompts, {control.end, control.mask});
    const auto painted = paint(c, answers);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto& request = c.example.requests[i];
        judgeMasks(c, request, painted[i]);
        auto right = c.example.tokens[i].answer;
        right.pop_back(); // <|end|>
        const bool same = answers[i].tokens == right;
        c.values["answer"].push_back(same);
        if (request.kind == RequestKind::Count)
            c.values["count"].push_back(same);
        if (request.kind == RequestKind::One)
            c.values["absence.found"].push_back(!painted[i].masks.empty());
        if (request.kind == RequestKind::Absent)
            c.values["absence.missed"].push_back(painted[i].masks.empty());
    }
}

double promptIou(const Case& c, PromptedObject& object, at::Tensor* logits) {
    const auto output = c.lens.maskFromPrompts(c.image,
        mapsOf({&object, 1}, c.image.gridHeight, c.image.gridWidth), imagesOf({&object, 1}),
        AttentionRun{});
    if (logits)
        *logits = output.logits;
    return iouOf(bitsOf(output.logits, c.width(), c.height()).front(), object.target);
}

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
        c.values["click.1"].push_back(promptIou(c, clicked, &logits));
        for (const auto* name : {"click.2", "click.3"}) {
            clickOnErrors({&clicked, 1}, logits, c.width(), c.height(), random);
            c.values[name].push_back(promptIou(c, clicked, &logits));
        }
        setBox(boxed, drawnBox(view, random, 0), c.width(), c.height());
        c.values["box"].push_back(promptIou(c, boxed, nullptr));
    }
}

} // namespace

Evaluation evaluate(const Lens& lens, const TrainingMaterial& material, SceneSet set,
    const EvaluationSettings& settings, const std::function<void(int)>& onScene) {
    const at::NoGradGuard guard;
    std::map<std::string, std::vector<std::vector<double>>> byFigure;
    for (int i = 0; i < settings.scenes; ++i) {
        const auto seed = mixSeed(settings.seed, static_cast<std::uint64_t>(i));
        const auto example
            = material.example(set, seed, settings.width, settings.height, settings.requests);
        const auto image = lens.describe(lens.encode(pixelsOf({&example, 1})), AttentionRun{});
        Values values;
        const Case c{lens, material, example, image, values};
        RandomStream random(seed);
        judgePatches(c);
        judgeWords(c);
        judgePrompts(c, settings.prompted, random);
        for (auto& [name, list] : values)
            byFigure[name].push_back(std::move(list));
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
