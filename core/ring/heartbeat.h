// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace maskscope {

/// "5 seconds", rounded up.
std::string secondsText(std::chrono::milliseconds time);

/// Whether what this process computes gives signs of life. Any thread.
class Pulse {
public:
    /// Stopped after `most` without one.
    explicit Pulse(std::chrono::milliseconds most)
        : m_most(most) { }

    std::chrono::milliseconds most() const { return m_most; }

    /// `signs` is asked for their number so far. Null: nothing computes, and nothing can stop.
    void follow(std::function<std::uint64_t()> signs);
    /// Whoever waits for others gives none.
    void setWaiting(bool waiting);
    /// To be asked more often than `most`; while nobody asked, nothing stood still.
    bool hasStopped();

private:
    using Clock = std::chrono::steady_clock;

    const std::chrono::milliseconds m_most;
    std::mutex m_mutex; ///< of what follows
    std::function<std::uint64_t()> m_signs;
    bool m_waiting = false;
    std::uint64_t m_last = 0;
    Clock::duration m_still{};
    Clock::time_point m_before = Clock::now();
};

/// Sees whether the processes of a ring live: every half second each counts up a number of its own,
/// or puts it beyond all counting when what it computes has stopped.
class Heartbeat {
public:
    /// Adds to the number of a rank, which all can see, and returns it. Throws when they are gone.
    using Counter = std::function<std::int64_t(int rank, std::int64_t more)>;

    /// `onLost` is called once, on a thread of its own, with a sentence that names the rank that
    /// stopped, or was silent for `silence`.
    Heartbeat(int rank, int ranks, std::chrono::milliseconds silence, Pulse& pulse, Counter counter,
        std::function<void(const std::string&)> onLost);

private:
    void watch(const std::stop_token& stop);
    std::string lostRank(std::size_t rank);
    std::string nameOf(std::size_t rank) const;

    using Clock = std::chrono::steady_clock;
    struct Seen {
        std::int64_t beat = -1;
        Clock::time_point since;
    };

    int m_rank;
    std::chrono::milliseconds m_silence;
    Pulse& m_pulse;
    Counter m_counter;
    std::function<void(const std::string&)> m_onLost;
    std::vector<Seen> m_seen; ///< by rank
    std::jthread m_thread;
};

} // namespace maskscope
