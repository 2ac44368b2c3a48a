// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"
#include "ui/job.h"

namespace maskscope {

/// Runs sweeps. What was measured stays when one is stopped.
class SweepJob : public Job {
    Q_OBJECT
public:
    explicit SweepJob(MeasurePoint measure, QObject* parent = nullptr);

    /// While Idle.
    void start(const SweepPlan& plan);

Q_SIGNALS:
    void began(maskscope::LayerPath path, qint64 patches, double fraction);
    void measured(const maskscope::SweepPoint& point);
    /// A path ended early, because memory would not do.
    void refused(const maskscope::SweepEnd& end);

private:
    MeasurePoint m_measure;
};

} // namespace maskscope
