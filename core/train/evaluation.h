// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/train/material.h"
#include "core/train/metrics.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace maskscope {

struct EvaluationSettings {
    int scenes = 500; ///< of each set
    int requests = 6; ///< in words, of each scene
    int prompted = 2; ///< objects clicked and boxed in each scene
    int width = 256;
    int height = 256;
    std::uint64_t seed = 20'000;
};

/// Figures of one scene set. Each value is a mean with a 95 % interval over scenes. Names:
/// "text" (IoU of all masks of a phrase with all it means; 0 when none comes) and "text.one", …;
/// "objects.f1" (masks one by one at IoU 0.5, of requests with two objects or more);
/// "text.class.cat", …; "click.1", "click.2", "click.3", "click.5", "box"; "click.1.scored" (of the
/// masks that the first click may mean the one with the highest score) and "click.1.candidates"
/// (the best of them); "score.click.error" and "score.click.bias" (score less IoU) of all of these;
/// "clicks.for.85" and "clicks.for.90" (clicks until that IoU, 10 where it is never reached);
/// "count" (of what is there, exactly right, word for word) and "count.none"; "absence.found" and
/// "absence.missed" (classes that are there, and that are not); "answer" (word for word) and
/// "answer.one", …; "class.patch", "class.object" (of found objects), "class.mask" (of states of
/// <|mask|>); "swap.changed" (answers that change with another scene's picture where what is asked
/// for is there in another number); "found" (share of objects) and "found.wrong" (a scene);
/// "score.error".
struct Evaluation {
    std::map<std::string, MeanInterval> figures;
};

/// Answers greedily and segments new scenes of a set. `onScene` is called after each.
Evaluation evaluate(const Lens& lens, const TrainingMaterial& material, SceneSet set,
    const EvaluationSettings& settings, const std::function<void(int)>& onScene = {});

/// Both sets as JSON text, and as a table for people.
std::string evaluationJson(const std::map<std::string, Evaluation>& sets,
    const EvaluationSettings& settings, const std::string& model);
std::string evaluationTable(const std::map<std::string, Evaluation>& sets);

} // namespace maskscope
