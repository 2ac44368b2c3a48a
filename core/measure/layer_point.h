// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/layer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope {

/// One point of a sweep.
struct LayerPoint {
    LayerShape shape;
    int threads = 0; ///< 0 = as the machine has
    int repeats = 3; ///< of the time; fewer where they would take long
    std::optional<std::int64_t> memoryLimit; ///< live tensor bytes; absent = 90 % of what is free
    Preflight preflight = Preflight::On;
};

struct LayerFigures {
    /// Live tensor bytes above those before; the same every time. Of a ring it is what all ranks
    /// take if they reach their own peaks together (see ThreadRanks::jointPeakBytes): they run at
    /// their own pace, so that one run may stay below it.
    std::int64_t extraPeakBytes = 0;
    std::int64_t overLoadBytes = 0; ///< above the state after loading: the input counts too
    /// Growth of the process's resident high-water mark in its first run; absent where the system
    /// does not permit.
    std::optional<std::int64_t> highWaterGrowthBytes;
    std::int64_t predictedBytes = 0; ///< of extraPeakBytes
    double ms = 0; ///< median
    int threads = 0;
    std::vector<std::int64_t> rankPeakBytes = {}; ///< of each rank of a ring: its own peak
};

/// Measures in this process, which should be young: its first run is the one that the system's
/// figures are of. Throws Failure(Memory) when the prediction exceeds the limit (with
/// Preflight::On) or an allocation was refused.
LayerFigures measureLayer(const LayerPoint& point);

} // namespace maskscope
