// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/spread.h"
#include "core/engine/request.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// One attention over P patches by a ring, against the same by one device.
struct RingCostPlan {
    std::int64_t patches = 7776;
    std::int64_t heads = 16;
    std::int64_t headDim = 64;
    Precision precision = Precision::Float32;
    std::vector<std::string> devices; ///< see RunSettings::ringDevices
    int threads = 1; ///< of each rank
    int rounds = 15; ///< each measures all three once, in turn
};

struct RingCost {
    int ranks = 0;
    Spread ringMs; ///< n ranks: Tn
    Spread oneMs; ///< scaled_dot_product_attention with one rank's threads: T1
    Spread allMs; ///< the same with the threads of all ranks
    double overhead = 0; ///< n Tn / T1 - 1: what the ring takes more of all devices together
    double ratio = 0; ///< ring to all threads in one call, pairwise
    double ratioLow = 0; ///< 95 % bootstrap interval of the median
    double ratioHigh = 0;
    double largestDifference = 0; ///< of the results
};

/// Measures in this process. `onRound` is told of the finished rounds, 1 to plan.rounds. Throws
/// Failure (devices, sizes, memory), Cancelled.
RingCost measureRing(const RingCostPlan& plan, const std::function<void(int round)>& onRound,
    const std::stop_token& stop);

} // namespace maskscope
