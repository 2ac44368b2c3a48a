// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/anatomy.h"
#include "ui/figure_table.h"

namespace maskscope {

/// Everything that was alive, most bytes first, what was there before the run among it.
FigureSheet anatomySheet(const Anatomy& anatomy);

} // namespace maskscope
