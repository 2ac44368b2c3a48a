// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "ui/job.h"

#include <memory>
#include <vector>

namespace maskscope {

/// Runs comparisons. Memory comes at most about 30 times a second.
class CompareJob : public Job {
    Q_OBJECT
public:
    explicit CompareJob(RunConfiguration run, QObject* parent = nullptr);

    /// While Idle.
    void start(const ComparisonPlan& plan);

Q_SIGNALS:
    void began(int configuration, int repeat, double fraction);
    /// Of the first repeat.
    void memoryArrived(int configuration, const std::vector<maskscope::MemorySample>& samples);
    /// While the others go on.
    void runFailed(int configuration, const maskscope::Error& error);
    /// Not of a comparison that was stopped or failed.
    void compared(const std::shared_ptr<const std::vector<maskscope::ComparedRuns>>& compared);

private:
    void work(const ComparisonPlan& plan, const RunConfiguration& run,
        const std::stop_token& stop); // on the thread

    RunConfiguration m_run;
};

} // namespace maskscope
