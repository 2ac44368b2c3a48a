// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/job_monitor.h"
#include "core/ring/ring_timeline.h"
#include "core/ring/transport.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace maskscope {

/// Called beside the ranks after each copy to one, before it counts as arrived: how long copies to
/// it take at least is up to this. It must return soon.
using LinkPace
    = std::function<void(std::int64_t bytes, std::chrono::steady_clock::time_point begun)>;

/// What may be wished of the links between rank threads.
struct LinkWishes {
    LinkPace pace; ///< null: as fast as they can
    std::shared_ptr<RingTimeline> timeline; ///< each copy is noted there; may be null
};

/// Transports between ranks that are threads of this process. Each rank has a copier beside it, a
/// thread that fetches what others send to it, one piece at a time, while the rank itself computes.
class ThreadRing {
public:
    /// One seat for each rank of the monitor.
    explicit ThreadRing(std::shared_ptr<JobMonitor> monitor, LinkWishes wishes = {});
    ~ThreadRing();
    ThreadRing(const ThreadRing&) = delete;
    ThreadRing& operator=(const ThreadRing&) = delete;

    Transport& seat(int rank);

private:
    class Seat;
    struct Match;
    std::optional<Match> matchFor(Seat& to) const;
    void copyTo(Seat& to);
    void fetch(const Seat& to, const Match& match);

    std::shared_ptr<JobMonitor> m_monitor;
    LinkWishes m_wishes;
    bool m_quit = false; ///< guarded by the monitor, as are the seats' states
    std::vector<std::unique_ptr<Seat>> m_seats;
    std::vector<std::jthread> m_copiers;
};

} // namespace maskscope
