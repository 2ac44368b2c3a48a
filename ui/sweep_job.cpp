// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_job.h"

#include "core/base/cancelled.h"

#include <utility>

namespace maskscope {

SweepJob::SweepJob(MeasurePoint measure, QObject* parent)
    : QObject(parent)
    , m_measure(std::move(measure)) { }

SweepJob::~SweepJob() = default;

void SweepJob::start(const SweepPlan& plan) {
    setState(State::Running);
    m_thread = std::jthread([this, plan](const std::stop_token& stop) { work(plan, stop); });
}

void SweepJob::stop() {
    if (m_state != State::Running)
        return;
    m_thread.request_stop();
    setState(State::Stopping);
}

void SweepJob::work(const SweepPlan& plan, const std::stop_token& stop) {
    const SweepSink sink{
        [this](LayerPath path, std::int64_t patches, double fraction) {
            post([this, path, patches, fraction] { Q_EMIT began(path, patches, fraction); });
        },
        [this](const SweepPoint& point) { post([this, point] { Q_EMIT measured(point); }); },
        [this](const SweepEnd& end) { post([this, end] { Q_EMIT refused(end); }); },
    };
    std::optional<Error> error;
    try {
        runSweep(plan, m_measure, sink, stop);
    } catch (const Cancelled&) {
        // An outcome: what was measured has been told.
    } catch (...) {
        error = errorOf(std::current_exception());
    }
    post([this, error] { finish(error); });
}

void SweepJob::finish(const std::optional<Error>& error) {
    // The state first, so that whoever hears of the end can start the next sweep.
    setState(State::Idle);
    if (error)
        Q_EMIT failed(*error);
    Q_EMIT ended();
}

void SweepJob::setState(State state) {
    if (std::exchange(m_state, state) != state)
        Q_EMIT stateChanged(state);
}

} // namespace maskscope
