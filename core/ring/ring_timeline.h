// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace maskscope {

/// What the ranks of a ring did when: each piece of computing and each transfer. Any thread.
class RingTimeline {
public:
    using Clock = std::chrono::steady_clock;
    enum class Lane { Compute, Transfer };

    struct Event {
        int rank = 0; ///< of a transfer: the one that receives
        Lane lane = Lane::Compute;
        std::string name;
        std::int64_t bytes = 0; ///< that were transferred
        Clock::time_point begin;
        Clock::time_point end;
    };

    /// Events beyond so many are only counted.
    explicit RingTimeline(std::size_t most = 65'536);

    void add(Event event) noexcept;

    std::vector<Event> events() const; ///< in the order in which they were added
    std::size_t dropped() const;

private:
    mutable std::mutex m_mutex;
    std::vector<Event> m_events;
    std::size_t m_dropped = 0;
};

/// Notes what is computed during its life.
class [[nodiscard]] ComputePiece {
public:
    /// `timeline` may be null.
    ComputePiece(RingTimeline* timeline, int rank, std::string name)
        : m_timeline(timeline)
        , m_event{rank, RingTimeline::Lane::Compute, std::move(name), 0, RingTimeline::Clock::now(),
              {}} { }
    ~ComputePiece();
    ComputePiece(const ComputePiece&) = delete;
    ComputePiece& operator=(const ComputePiece&) = delete;

private:
    RingTimeline* m_timeline;
    RingTimeline::Event m_event;
};

/// In the Trace Event Format, which chrome://tracing and Perfetto show: a process for each rank,
/// with a thread that computes and one that transfers. Time begins with the first event.
std::string traceOf(const RingTimeline& timeline);

} // namespace maskscope
