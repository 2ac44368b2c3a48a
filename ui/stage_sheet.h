// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figure_table.h"
#include "ui/memory_series.h"

namespace maskscope {

/// Each stage's extra peak beside what was predicted for it, then the whole run's.
FigureSheet stageSheet(const StageTrack& stages, std::optional<std::int64_t> runPeak,
    std::optional<std::int64_t> runPredicted);

} // namespace maskscope
