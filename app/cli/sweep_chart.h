// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/image/chart.h"
#include "core/measure/sweep.h"

#include <filesystem>
#include <vector>

namespace maskscope {

/// Extra peaks in MiB over patches, with each path's describing fit.
Chart sweepChart(const SweepPlan& plan, const std::vector<SweepPoint>& points,
    const std::vector<SweepFit>& fits);

/// Throws before anything is measured: Failure(Usage) for another ending than .svg and .png,
/// Failure(Input) for a file that is there and shall be kept.
void checkChartFile(const std::filesystem::path& path, Existing existing);

/// In the format that the ending of `path` names.
void writeChart(const Chart& chart, const std::filesystem::path& path, AtomicFile& file);

} // namespace maskscope
