// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "core/image/image.h"

#include <string>

namespace maskscope {

/// A comparison as one HTML file that needs nothing else: figures, memory curves, the outputs side
/// by side with a slider and a view of what differs, and what it was measured on. Texts of people
/// and models are shown letter by letter.
std::string htmlReport(const std::vector<ComparedRuns>& compared, const Image& image);

} // namespace maskscope
