// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"
#include "core/history/run_summary.h"

#include <string>
#include <vector>

namespace maskscope {

/// "2026-11-30 10:45 CET", of RunSummary::started, in the time of this machine.
std::string localTimeText(const std::string& started);

/// A table on standard output, a line each.
void printPastRuns(const std::vector<RunSummary>& runs);
/// All that a person may ask of one run.
void printPastRun(const RunRecord& record);

} // namespace maskscope
