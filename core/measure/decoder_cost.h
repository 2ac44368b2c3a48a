// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/spread.h"
#include "core/engine/request.h"
#include "core/measure/repeats.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

namespace maskscope {

/// What the mask stage of a model costs on each attention path, over the number of patches.
struct DecoderPlan {
    std::filesystem::path model; ///< a model folder
    std::vector<std::int64_t> patches{1024, 3952};
    std::vector<AttentionPath> paths{AttentionPath::Mha, AttentionPath::Sdpa, AttentionPath::Flash};
    Precision precision = Precision::Float32;
    int threads = 0; ///< 0 = as the machine has
    Repeats repeats;
};

struct DecoderCost {
    AttentionPath path = AttentionPath::Sdpa;
    std::int64_t patches = 0;
    Spread ms; ///< the first mask of a new picture, from the encoder's features on
    std::int64_t extraPeakBytes = 0;
};

/// Measures in this process, the paths in turns, and gives each size's costs to `onCosts` when they
/// are known. Throws Failure (a model that cannot be loaded, a size that no picture has, memory),
/// Cancelled.
void measureDecoder(const DecoderPlan& plan,
    const std::function<void(const std::vector<DecoderCost>&)>& onCosts,
    const std::stop_token& stop);

} // namespace maskscope
