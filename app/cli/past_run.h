// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "core/history/run_store.h"
#include "core/image/image.h"

#include <cstdint>
#include <string>

namespace maskscope {

/// What CLI11 gives for a flag without a value, such as --record.
inline constexpr const char* kUntitled = "true";

/// The history exists. Where it cannot be told, opening the file says why.
bool hasHistory();

/// The history for commands that need the run `wanted` in it; asking for one makes no file. Throws
/// Failure(Usage) when there is none.
RunStore existingHistory(std::int64_t wanted);

/// Puts a run into the history. That it cannot be kept is told, and takes nothing of its result:
/// gives the exit code.
int keepRun(const RunRecord& record, bool json);

/// A past run as a person names it: its number in the history, or a file that was exported from
/// one. Throws Failure(Usage or Input).
ComparedRuns pastRunFrom(const std::string& text);

/// The picture of a past run where it still is as it was; else a grey one of its size, which is
/// told on standard error.
Image pictureOf(const RunRecord& record);

} // namespace maskscope
