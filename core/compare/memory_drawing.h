// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"

#include <string>
#include <vector>

namespace maskscope {

/// A picture (SVG) of live memory over time: a panel for each run, stacked by category, all on one
/// time axis and one scale, and below them the second run's live bytes minus the first's. Runs
/// without samples have an empty panel.
std::string memoryDrawing(const std::vector<ComparedRuns>& compared);

/// Live bytes over time as steps, at most `most` of them: the highest of each stretch.
std::vector<MemorySample> thinned(const std::vector<MemorySample>& samples, std::size_t most);

} // namespace maskscope
