// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/history/run_header.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// A run as it was: what was asked, and all that happened, each event at its time. The last event
/// is Done or Failed, unless the program ended before.
struct RunRecord {
    RunHeader header;
    std::vector<Event> events;
};

/// Where a stage lay in a run. Stages nest.
struct StageSpan {
    Stage stage = Stage::Load;
    double beginMs = 0;
    double endMs = 0;
    std::int64_t extraPeakBytes = 0;
};

const Report* reportOf(const RunRecord& record); ///< null where it did not come so far
const Error* errorOf(const RunRecord& record); ///< null where there was none
std::vector<StageSpan> stagesOf(const RunRecord& record); ///< those that ended, by their ends
std::vector<MemorySample> memoryOf(const RunRecord& record);
/// Of each rank of a ring by its number, in order of time; empty for other paths.
std::map<int, std::vector<RankSample>> rankMemoryOf(const RunRecord& record);
std::vector<double> tokenTimesOf(const RunRecord& record); ///< ms, of each token
/// Highest live bytes of the run above those at its first sample; 0 without samples.
std::int64_t extraPeakOf(const RunRecord& record);

/// One line of JSON for the header and for each event, in their order.
std::string linesOf(const RunRecord& record);

/// `what` begins the sentences. Throws Failure(Input).
RunRecord runRecordFrom(std::string_view lines, std::string_view what);

} // namespace maskscope
