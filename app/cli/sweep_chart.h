// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/chart.h"
#include "core/measure/sweep.h"

#include <vector>

namespace maskscope {

/// Extra peaks in MiB over patches, with each path's describing fit.
Chart sweepChart(const SweepPlan& plan, const std::vector<SweepPoint>& points,
    const std::vector<SweepFit>& fits);

} // namespace maskscope
