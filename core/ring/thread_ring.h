// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/job_monitor.h"
#include "core/ring/transport.h"

#include <memory>
#include <thread>
#include <vector>

namespace maskscope {

/// Transports between ranks that are threads of this process. Each rank has a copier beside it, a
/// thread that fetches what the rank before sends while the rank itself computes.
class ThreadRing {
public:
    /// One seat for each rank of the monitor.
    explicit ThreadRing(std::shared_ptr<JobMonitor> monitor);
    ~ThreadRing();
    ThreadRing(const ThreadRing&) = delete;
    ThreadRing& operator=(const ThreadRing&) = delete;

    Transport& seat(int rank);

private:
    class Seat;
    void copy(Seat& to);
    Seat& before(const Seat& seat);
    Seat& after(const Seat& seat);

    std::shared_ptr<JobMonitor> m_monitor;
    bool m_quit = false; ///< guarded by the monitor, as are the seats' states
    std::vector<std::unique_ptr<Seat>> m_seats;
    std::vector<std::jthread> m_copiers;
};

} // namespace maskscope
