// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"
#include "ui/figure_table.h"

#include <optional>

namespace maskscope {

/// What is being measured.
struct SweepPlace {
    LayerPath path = LayerPath::Sdpa;
    std::int64_t patches = 0;
};

// A sweep as tables. `threads` is how many this machine has by default, for predictions.

/// Every point of the plan: measured, on its way or refused, beside its prediction.
FigureSheet pointSheet(
    const SweepRecord& record, int threads, const std::optional<SweepPlace>& running);

/// The point of a row of that table, if it was measured.
std::optional<SweepPlace> measuredPoint(const SweepRecord& record, int row);

/// The law of each path in words, and the curves through its points: that which holds first, the
/// other as one that does not; at last the published one.
FigureSheet fitSheet(const SweepRecord& record);

/// Threads of the plan's points.
int threadsOf(const SweepPlan& plan, int threads);

/// The point of that path and size, if it was measured.
const SweepPoint* pointOf(const SweepRecord& record, LayerPath path, std::int64_t patches);

} // namespace maskscope
