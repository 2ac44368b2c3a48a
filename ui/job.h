// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/session.h"

#include <QObject>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace maskscope {

/// Does one thing at a time on a thread of its own, which can be stopped. All functions are for the
/// GUI thread, on which all signals are emitted.
class Job : public QObject {
    Q_OBJECT
public:
    using State = Session::State;

    /// Stops what runs and waits for it.
    ~Job() override;

    State state() const { return m_state; }
    /// The state is Stopping at once; ended() follows.
    void stop();

Q_SIGNALS:
    void stateChanged(maskscope::Session::State state);
    void failed(const maskscope::Error& error);
    /// It has come to its end, was stopped or failed.
    void ended();

protected:
    explicit Job(QObject* parent = nullptr);
    /// While Idle. `work` runs on the thread; it owns what it uses, may throw what the person is to
    /// be told, or Cancelled, and hands results on by post().
    void begin(std::function<void(const std::stop_token&)> work);
    /// Calls it on the GUI thread, in order, unless this object has gone by then.
    template <class Call>
    void post(Call call) {
        QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
    }

private:
    void finish(const std::optional<Error>& error);
    void setState(State state);

    State m_state = State::Idle;
    std::jthread m_thread; // last: it uses the others
};

} // namespace maskscope
