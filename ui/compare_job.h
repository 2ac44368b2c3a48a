// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "ui/session.h"

#include <QObject>
#include <memory>
#include <thread>
#include <vector>

namespace maskscope {

/// Runs one comparison at a time on a thread of its own. All functions are for the GUI thread, on
/// which all signals are emitted; memory comes at most about 30 times a second.
class CompareJob : public QObject {
    Q_OBJECT
public:
    using State = Session::State;

    explicit CompareJob(RunConfiguration run, QObject* parent = nullptr);
    /// Stops what runs and waits for it.
    ~CompareJob() override;

    /// While Idle.
    void start(const ComparisonPlan& plan);
    /// The state is Stopping at once; ended() follows.
    void stop();
    State state() const { return m_state; }

Q_SIGNALS:
    void stateChanged(maskscope::Session::State state);
    void began(int configuration, int repeat, double fraction);
    /// Of the first repeat.
    void memoryArrived(int configuration, const std::vector<maskscope::MemorySample>& samples);
    void failed(const maskscope::Error& error);
    /// Null when it was stopped or failed.
    void ended(const std::shared_ptr<const std::vector<maskscope::ComparedRuns>>& compared);

private:
    using Compared = std::shared_ptr<const std::vector<ComparedRuns>>;

    void work(const ComparisonPlan& plan, const std::stop_token& stop); // on m_thread
    void finish(const Compared& compared, const std::optional<Error>& error);
    void setState(State state);
    /// Calls it on the GUI thread, in order, unless this object has gone by then.
    template <class Call>
    void post(Call call) {
        QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
    }

    RunConfiguration m_run;
    State m_state = State::Idle;
    std::jthread m_thread; // last: it uses the others
};

} // namespace maskscope
