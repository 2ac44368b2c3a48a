// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/spread.h"
#include "core/measure/ring_shape.h"
#include "core/measure/ring_verdict.h"
#include "core/ring/link_fit.h"
#include "core/ring/link_rate.h"
#include "core/ring/strategy_choice.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// What to measure: each way for the ranks to share one attention, on each link, against the same
/// by one device.
struct RingCostPlan {
    RingShape shape;
    std::vector<int> ulysses; ///< degrees that take part; empty: all that share the heads equally
    std::vector<LinkRate> links{LinkRate{}};
    int rounds = 15; ///< each measures all of them once, in turn
    /// Before these, at least five rounds of the same, which are not measured: more until one link
    /// has had so much time, but no more than are enough.
    double rehearsalMs = 8000;
};

/// One way to share.
struct StrategyCost {
    RankGrid grid;
    double predictedMs = 0; ///< what it took in the rehearsal, in three of four rounds
    /// Of these, what the link alone would leave exposed: less than ranks wait that share
    /// processors, since they also wait for each other (see forecastOf()).
    double linkMs = 0;
    double sentBytes = 0; ///< by each rank
    Spread ms; ///< as measured
    double exposedMs = 0; ///< the longest that a rank waited for others; median
    double overhead = 0; ///< n Tn / T1 - 1: what it takes more of all devices together
};

/// On one link.
struct RingCost {
    int ranks = 0;
    LinkRate asked;
    LinkFigures link; ///< as measured
    std::vector<StrategyCost> strategies; ///< the single device first
    RingVerdict verdict; ///< on strategies
    Spread wholeMs; ///< scaled_dot_product_attention with the threads of all ranks
    double ratio = 0; ///< of the quickest way to share to that, round by round
    double ratioLow = 0; ///< 95 % bootstrap interval of the median
    double ratioHigh = 0;
    double largestDifference = 0; ///< between results of any way to share and of one device

    std::size_t quickestShared() const; ///< in strategies, never 0
    /// "ring 2: 46.1 ms; Ulysses 2: 51.0 ms, 4.9 for the link": what is predicted, quickest first.
    std::string sentence() const;
};

/// Measures in this process, and returns one cost for each link. Before that the links are probed,
/// and each way goes through whole layers on each link in the same turns as later: that is the
/// prediction, which nothing measured later changes. `onRound` is told of the finished rounds, 1 to
/// plan.rounds. `trace`, if not null, gets a trace (see traceOf()) of the quickest way to share on
/// the last link. Throws Failure (devices, sizes, memory), Cancelled.
std::vector<RingCost> measureRing(const RingCostPlan& plan,
    const std::function<void(int round)>& onRound, const std::stop_token& stop,
    std::string* trace = nullptr);

} // namespace maskscope
