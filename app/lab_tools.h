// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab_tools.h"

namespace maskscope {

/// What the window's Lab page asks of core, in this program.
LabTools labTools();

} // namespace maskscope
