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
    int width = 192;
    int height = 192;
    std::uint64_t seed = 20'000;
};

/// Figures of one scene set. Each value is a mean with a 95 % interval over scenes. Names:
/// "text" (mean IoU of every mask that should come; a mask that does not come counts 0) and
/// "text.one", "text.count", …; "click.1", "click.3", "box"; "count" (exactly right), "absence"
/// (half the rate of rightly found and half the rate of rightly missed), "answer" (word for word),
/// "class.patch" (object patches), "class.mask" (states of <|mask|>), "score.error".
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
