// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"
#include "ui/session.h"

#include <QObject>
#include <thread>

namespace maskscope {

/// Runs one sweep at a time on a thread of its own. All functions are for the GUI thread, on which
/// all signals are emitted.
class SweepJob : public QObject {
    Q_OBJECT
public:
    using State = Session::State;

    explicit SweepJob(MeasurePoint measure, QObject* parent = nullptr);
    /// Stops what runs and waits for it.
    ~SweepJob() override;

    /// While Idle.
    void start(const SweepPlan& plan);
    /// The state is Stopping at once; ended() follows. What was measured stays.
    void stop();
    State state() const { return m_state; }

Q_SIGNALS:
    void stateChanged(maskscope::SweepJob::State state);
    void began(maskscope::LayerPath path, qint64 patches, double fraction);
    void measured(const maskscope::SweepPoint& point);
    /// A path ended early, because memory would not do.
    void refused(const maskscope::SweepEnd& end);
    void failed(const maskscope::Error& error);
    /// It has come to its end, was stopped or failed.
    void ended();

private:
    void work(const SweepPlan& plan, const std::stop_token& stop); // on m_thread
    void finish(const std::optional<Error>& error);
    void setState(State state);
    /// Calls it on the GUI thread, in order, unless this object has gone by then.
    template <class Call>
    void post(Call call) {
        QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
    }

    MeasurePoint m_measure;
    State m_state = State::Idle;
    std::jthread m_thread; // last: it uses the others
};

} // namespace maskscope
