// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"

#include <nlohmann/json_fwd.hpp>

namespace maskscope {

/// One run of a comparison: its header, and its report as "result" or its "error".
nlohmann::ordered_json resultJson(const RunRecord& run, int repeat);

nlohmann::ordered_json jsonOf(const Comparison& comparison);

/// {"event": "summary", "configurations": […], "comparisons": […]}: medians and ranges over the
/// repeats, and each configuration against the first one.
nlohmann::ordered_json summaryJson(const std::vector<ComparedRuns>& compared);

} // namespace maskscope
