// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/job.h"

#include "core/base/cancelled.h"

namespace maskscope {

Job::Job(QObject* parent)
    : QObject(parent) { }

Job::~Job() = default;

void Job::begin(std::function<void(const std::stop_token&)> work) {
    setState(State::Running);
    m_thread = std::jthread([this, work = std::move(work)](const std::stop_token& stop) {
        std::optional<Error> error;
        try {
            work(stop);
        } catch (const Cancelled&) {
            // An outcome: what was there has been told.
        } catch (...) {
            error = errorOf(std::current_exception());
        }
        post([this, error] { finish(error); });
    });
}

void Job::stop() {
    if (m_state != State::Running)
        return;
    m_thread.request_stop();
    setState(State::Stopping);
}

void Job::finish(const std::optional<Error>& error) {
    // The state first, so that whoever hears of the end can start the next one.
    setState(State::Idle);
    if (error)
        Q_EMIT failed(*error);
    Q_EMIT ended();
}

void Job::setState(State state) {
    if (std::exchange(m_state, state) != state)
        Q_EMIT stateChanged(state);
}

} // namespace maskscope
