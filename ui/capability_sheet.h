// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "ui/figure_table.h"

namespace maskscope {

/// What each attention path is and can on this build and machine, and why it cannot.
FigureSheet capabilitySheet(const std::vector<AttentionCapability>& paths);

} // namespace maskscope
