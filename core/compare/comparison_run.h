// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/spread.h"
#include "core/compare/comparison.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace maskscope {

/// The same picture, request and seed in several ways. A header's title names its way.
struct ComparisonPlan {
    std::vector<RunHeader> configurations; ///< 2 to kMostConfigurations
    int repeats = 1; ///< of each; the configurations take turns
};
inline constexpr std::size_t kMostConfigurations = 4;

/// Measured: now, for the comparison. Past: at some time, on some machine.
enum class RunOrigin { Measured, Past };

/// A configuration and its runs, the first with the values of its logits.
struct ComparedRuns {
    RunHeader header; ///< as planned, or of the past run; its title names the column
    std::vector<RunRecord> runs; ///< at least one once the comparison has ended
    RunOrigin origin = RunOrigin::Measured;

    const RunRecord& first() const { return runs.front(); }
};

/// How one run is done: runInChild(), bound to a program.
using RunConfiguration
    = std::function<RunRecord(const RunHeader&, const EventSink&, const std::stop_token&)>;

/// Called on the thread that runs the comparison, while it runs.
struct ComparisonSink {
    std::function<void(std::size_t configuration, int repeat, double fraction)> onBegin;
    std::function<void(std::size_t configuration, const Event&)> onEvent;
    std::function<void(std::size_t configuration, const RunRecord&)> onRun;
};

/// Runs everything; a run that fails is a result. Throws Failure(Usage) for a plan that cannot be
/// meant, Cancelled when stopped.
std::vector<ComparedRuns> runComparison(const ComparisonPlan& plan, const RunConfiguration& run,
    const ComparisonSink& sink, const std::stop_token& stop);

/// Each configuration against the first one, by their first runs.
std::vector<Comparison> comparisonsOf(const std::vector<ComparedRuns>& compared);

/// A run of the past, kept as `name`, to be compared with others.
ComparedRuns pastRun(RunRecord record, const std::string& name);

} // namespace maskscope
