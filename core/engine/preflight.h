// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/engine/lens_model.h"
#include "core/engine/request.h"
#include "core/model/model_size.h"
#include "core/ring/rank_grid.h"

#include <cstdint>
#include <map>
#include <optional>

namespace maskscope {

/// What a request will take, known before it starts from the model's shapes and the attention path.
struct Prediction {
    ModelSize size; ///< of the image as the model sees it
    AttentionPath path = AttentionPath::Sdpa;
    std::int64_t elementBytes = 4;
    std::int64_t heads = 8;
    /// Of this process, above each stage's start, as in a Report.
    std::map<Stage, std::int64_t> extraPeakBytes;
    std::int64_t peakBytes = 0; ///< of the whole run, above the state after loading

    std::int64_t matrixBytes() const; ///< one H x P x P matrix of scores
};

/// How large the model sees the image of a request.
ModelSize seenSize(const LensConfig& config, const Request& request);

/// What is there when a run begins, and is not computed again.
enum class ImageStages { Needed, Kept };
enum class DecoderStages { Needed, Replaced, Kept }; ///< Replaced: it is of another path

struct RunStart {
    ImageStages image = ImageStages::Needed;
    DecoderStages decoder = DecoderStages::Needed; ///< the decoder's part of a kept image
    int clicks = 0; ///< of the request's, whose mask is known
    std::int64_t keptBytes = 0; ///< live above the state after loading
    int threads = 1;
    RingRanks ring; ///< of AttentionPath::Ring
};

/// How long an answer becomes. Before a run that is the longest with one mask.
struct AnswerLength {
    int tokens = 0;
    int masks = 1;
};

/// `path` is resolved (never Auto).
Prediction predict(const LensModel& model, const Request& request, AttentionPath path,
    const RunStart& start, const AnswerLength& answer);

/// Throws Failure(Memory) with the figures and the alternatives when `loaded`, the live bytes after
/// loading, and the predicted peak exceed `limit`.
void refuseIfTooLarge(
    const Prediction& prediction, std::int64_t loaded, const std::optional<std::int64_t>& limit);

} // namespace maskscope
