// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/engine/request.h"
#include "core/model/config.h"
#include "core/model/model_size.h"

#include <cstdint>
#include <map>
#include <optional>

namespace maskscope {

/// What a request will take above the live bytes after loading, known before it starts from the
/// model's shapes and the attention path alone.
struct Prediction {
    ModelSize size; ///< of the image as the model sees it
    AttentionPath path = AttentionPath::Sdpa;
    std::int64_t elementBytes = 4;
    std::int64_t heads = 8;
    std::map<Stage, std::int64_t> extraPeakBytes; ///< of each stage, above the state after loading

    std::int64_t peakBytes() const;
    std::int64_t matrixBytes() const; ///< one H x P x P matrix of scores
};

/// How large the model sees the image of a request.
ModelSize seenSize(const LensConfig& config, const Request& request);

/// Whether a run has to look at its image, or the last run's description of it is still there.
enum class ImageStages { Needed, Kept };

/// `path` is resolved (never Auto); the image stage is not predicted apart, vision covers it.
Prediction predict(const LensConfig& config, const Request& request, AttentionPath path,
    Precision precision, ImageStages image);

/// Throws Failure(Memory) with the figures and the alternatives when `loaded`, the live bytes after
/// loading, and the predicted peak exceed `limit`.
void refuseIfTooLarge(
    const Prediction& prediction, std::int64_t loaded, const std::optional<std::int64_t>& limit);

} // namespace maskscope
