// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_job.h"

#include <utility>

namespace maskscope {

SweepJob::SweepJob(MeasurePoint measure, QObject* parent)
    : Job(parent)
    , m_measure(std::move(measure)) { }

void SweepJob::start(const SweepPlan& plan) {
    const SweepSink sink{
        [this](LayerPath path, std::int64_t patches, double fraction) {
            post([this, path, patches, fraction] { Q_EMIT began(path, patches, fraction); });
        },
        [this](const SweepPoint& point) { post([this, point] { Q_EMIT measured(point); }); },
        [this](const SweepEnd& end) { post([this, end] { Q_EMIT refused(end); }); },
    };
    begin([plan, sink, measure = m_measure](
              const std::stop_token& stop) { runSweep(plan, measure, sink, stop); });
}

} // namespace maskscope
