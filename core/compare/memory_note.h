// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// The stage whose extra peak differs most between two runs; a mask rather than the decoding around
/// it.
struct StageChange {
    Stage stage = Stage::Mask;
    std::int64_t before = 0; ///< bytes
    std::int64_t after = 0;
};

/// Nothing where all stages take the same, or one of the runs has no result.
std::optional<StageChange> largestChange(const RunRecord& before, const RunRecord& after);

/// How long the runs with a result took; nothing where none has one.
std::optional<double> medianMsOf(const ComparedRuns& compared);

/// "the peak of the whole run falls from 2.10 GiB to 30.0 MiB (72 x less)", or where it is if it
/// stays.
std::string runPeakText(const RunRecord& before, const RunRecord& after);

/// A sentence for each configuration with a result that says how its memory and time differ from
/// the first's, and for each ring why its ranks together can need more than one device.
std::vector<std::string> memoryNotesOf(const std::vector<ComparedRuns>& compared);

/// What the ranks of a ring held at most, each at a moment of its own.
struct RankPeaks {
    std::vector<std::int64_t> bytes; ///< by rank
    std::int64_t sum = 0;
    std::int64_t staging = 0; ///< buffers of all ranks for the keys and values that travel
};

/// Without ranks for other paths, and for runs that have no result.
RankPeaks rankPeaksOf(const RunRecord& run);

} // namespace maskscope
