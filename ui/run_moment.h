// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"
#include "core/measure/anatomy.h"
#include "ui/memory_series.h"

#include <QString>

namespace maskscope {

/// A run's curve and stages.
struct RunCurve {
    MemorySeries series;
    StageTrack stages;
};

/// Of a run that has ended; of the device that was measured first.
RunCurve curveOf(const RunRecord& record);

/// What was live at a moment of a curve, for looking into it.
AnatomyMoment momentAt(const MemorySeries& series, const StageTrack& stages, double tMs);
/// The highest moment: its stage, whose peak it is.
AnatomyMoment peakOf(const MemorySeries& series, const StageTrack& stages, Weights weights);

/// "the peak of the stage mask", "where 93.2 MiB are live in the stage mask".
QString textOf(const AnatomyMoment& moment);

} // namespace maskscope
