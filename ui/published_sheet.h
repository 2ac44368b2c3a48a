// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/machine.h"
#include "core/measure/sweep.h"
#include "ui/figure_table.h"
#include "ui/session.h"

namespace maskscope {

/// What the reference published and, below each part of it, the like of this machine: the whole
/// mask pass of the loaded model below a whole mask pass, one layer below one of the same shape.
/// Everything is in GB, as it was published.
FigureSheet publishedSheet(
    const SweepRecord& record, const MachineInfo& machine, const ModelDescription& model);

} // namespace maskscope
