// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"

#include <string>

namespace maskscope {

/// The call of the command line that makes the same comparison again, with a shell's quotes; empty
/// where the runs were not asked the same of the same picture.
std::string commandOf(const std::vector<ComparedRuns>& compared);

} // namespace maskscope
