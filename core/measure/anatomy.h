// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/engine/request.h"
#include "core/measure/layer_job.h"
#include "core/memory/sample.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// A block of memory that was alive at the peak; equal ones are one entry.
struct AliveTensor {
    std::string op; ///< that took it: "bmm", "_masked_softmax"; empty outside of any
    std::vector<std::int64_t> shape; ///< empty for scratch, which no operation gives out
    std::string dtype; ///< "fp32", "bf16", "fp16", "int64", "bool"; empty for scratch
    std::int64_t bytes = 0; ///< of one
    std::string module; ///< scopes that were open, outermost first: "mask/mask.blocks.0.attention"
    std::int64_t copies = 1;
};

/// Everything that was alive at one moment, that of the highest live tensor bytes where no other is
/// asked for. All of it adds up to the peak: tensors, those from before, and what nobody can
/// account for.
struct Anatomy {
    std::int64_t peakBytes = 0; ///< live tensor bytes, as the ledger counts them
    std::int64_t extraPeakBytes = 0; ///< above those where the observation, or the stage, began
    std::vector<AliveTensor> tensors; ///< made during the observation; most bytes first
    BytesByCategory before{}; ///< of what was alive before it began, such as the weights
    std::int64_t unattributed = 0; ///< 0 unless another thread allocated meanwhile
    std::int64_t patches = 0; ///< P of the run
    std::int64_t heads = 0; ///< of the attention among them

    std::int64_t matrices() const; ///< how many tensors are heads x P x P
    std::int64_t matrixBytes() const; ///< of them all
};

/// Which moment of a run is looked at.
struct AnatomyMoment {
    std::optional<Stage> stage; ///< the moment is within it; absent: anywhere in the run
    /// Where live bytes come nearest to these; absent: where they are highest.
    std::optional<BytesByCategory> live;
};

/// One run of a layer on this thread. Throws as checkWatchedLayer() does, and Failure(Memory) for
/// one that does not fit.
Anatomy layerAnatomy(const LayerShape& shape, const LayerLimits& limits = {});

/// One run of a request on a model folder, on this thread: the peak of all of it, or of the part
/// that a stage is. Throws what the engine returns as an error, and Failure(Usage) for a stage that
/// the run does not go through.
Anatomy requestAnatomy(const std::filesystem::path& model, const Request& request,
    const std::optional<Stage>& stage = {});

/// The same for any moment; `onEvent` hears of the run while it goes on, on this thread.
Anatomy requestAnatomyAt(const std::filesystem::path& model, const Request& request,
    const AnatomyMoment& moment, const EventSink& onEvent);

} // namespace maskscope
