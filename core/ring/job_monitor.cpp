// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/job_monitor.h"

#include <utility>

namespace maskscope {

JobMonitor::JobMonitor(int ranks)
    : m_ranks(static_cast<std::size_t>(ranks)) { }

void JobMonitor::end(std::exception_ptr cause) noexcept {
    change([&] {
        if (!m_cause)
            m_cause = std::move(cause);
    });
}

std::exception_ptr JobMonitor::cause() const {
    const std::lock_guard lock(m_mutex);
    return m_cause;
}

void JobMonitor::alive(int rank) {
    const std::lock_guard lock(m_mutex);
    setState(rank, State::Working);
    if (m_cause)
        throw JobEnded();
}

void JobMonitor::begin() {
    const std::lock_guard lock(m_mutex);
    for (int rank = 0; rank < ranks(); ++rank)
        setState(rank, State::Working);
}

void JobMonitor::leave(int rank) noexcept {
    change([&] { setState(rank, State::Away); });
}

std::vector<JobMonitor::Rank> JobMonitor::look() const {
    const std::lock_guard lock(m_mutex);
    return m_ranks;
}

} // namespace maskscope
