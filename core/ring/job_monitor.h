// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace maskscope {

/// Thrown to a rank whose job has ended by another's doing. No cause of anything.
class JobEnded : public std::exception {
public:
    const char* what() const noexcept override { return "The job of this rank has ended."; }
};

/// What the ranks of one job know of each other: who works, who waits, who gives signs of life, and
/// the first cause that ends the job for all. Everything that changes between ranks
/// changes under its lock and wakes whoever waits. Any thread.
class JobMonitor {
public:
    explicit JobMonitor(int ranks);

    int ranks() const { return static_cast<int>(m_ranks.size()); }

    /// Ends the job. The first cause stays.
    void end(std::exception_ptr cause) noexcept;
    std::exception_ptr cause() const; ///< null while nothing has ended it

    /// A rank's sign of life between pieces of its work. Throws JobEnded when the job has ended.
    void alive(int rank);
    void begin(); ///< all ranks work from now on
    void leave(int rank) noexcept; ///< it has nothing to do any more

    enum class State { Away, Working, Waiting };
    struct Rank {
        State state = State::Away;
        std::uint64_t signs = 0; ///< of life, counted
    };
    std::vector<Rank> look() const;

    /// change() under the lock; then whoever waits looks again.
    template <class Change>
    void change(const Change& change) {
        {
            const std::lock_guard lock(m_mutex);
            change();
        }
        m_changed.notify_all();
    }

    /// Waits as a rank at work until ready(), which is asked under the lock. Throws JobEnded when
    /// the job has ended.
    template <class Ready>
    void await(int rank, const Ready& ready) {
        std::unique_lock lock(m_mutex);
        setState(rank, State::Waiting);
        m_changed.wait(lock, [&] { return m_cause || ready(); });
        setState(rank, State::Working);
        if (m_cause)
            throw JobEnded();
    }

    /// The same for what changes elsewhere, such as on a device: ready() is asked again and again,
    /// without the lock.
    template <class Ready>
    void poll(int rank, const Ready& ready) {
        for (bool waits = false; !ready(); waits = true) {
            {
                const std::lock_guard lock(m_mutex);
                if (m_cause)
                    throw JobEnded();
                if (!waits)
                    setState(rank, State::Waiting);
            }
            std::this_thread::yield();
        }
        alive(rank);
    }

    /// Waits until ready(), whatever becomes of the job.
    template <class Ready>
    void sleep(const Ready& ready) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, ready);
    }
    /// The same for at most `most`; whether it is ready.
    template <class Ready>
    bool sleepFor(std::chrono::nanoseconds most, const Ready& ready) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, most, ready);
    }

    bool endedUnderLock() const { return m_cause != nullptr; } ///< for those who hold the lock

private:
    void setState(int rank, State state) {
        Rank& entry = m_ranks[static_cast<std::size_t>(rank)];
        entry.state = state;
        ++entry.signs;
    }

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::exception_ptr m_cause;
    std::vector<Rank> m_ranks;
};

} // namespace maskscope
