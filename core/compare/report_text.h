// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"

#include <string>

namespace maskscope {

/// The text of a change request (Markdown) that puts the second configuration in place of the
/// first: problem, change, measurement, output comparison, scope, escape hatch.
std::string changeRequestOf(const std::vector<ComparedRuns>& compared);

} // namespace maskscope
