// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope {

/// How a past run ended. Unfinished: the program ended before it did.
enum class RunOutcome { Finished, Cancelled, Failed, Unfinished };
std::string_view nameOf(RunOutcome outcome); ///< "finished", "cancelled", "failed", "unfinished"
std::optional<RunOutcome> runOutcomeFrom(std::string_view name);

/// What a list of runs shows of one. Text is data, never markup. A figure that is not known is
/// absent.
struct RunSummary {
    std::int64_t id = 0; ///< in the history; 0 for a run that is not in one
    std::string started; ///< UTC, "2026-11-30T09:45:40Z"
    std::string title;
    std::string model;
    std::string device;
    std::string processor;
    std::string request; ///< the words, as typed
    std::int64_t points = 0;
    std::int64_t boxes = 0;
    std::string imagePath;
    std::string imageDigest;
    std::string attention; ///< the path used, or the one asked for where the run came not so far
    std::string kvCache;
    std::string precision;
    std::optional<std::int64_t> patches;
    RunOutcome outcome = RunOutcome::Unfinished;
    std::string error; ///< the sentence of a run that failed
    std::optional<std::int64_t> extraPeakBytes; ///< highest live bytes above those at its start
    std::optional<std::int64_t> maskPeakBytes; ///< the same of the mask stage, where paths differ
    double totalMs = 0;
    std::optional<double> tokensPerSecond;
};

RunSummary summaryOf(const RunRecord& record);

/// “red mug”, 2 points, 1 box
std::string requestText(const RunSummary& summary);

} // namespace maskscope
