// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/rank_team.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace maskscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGlance{50}; ///< between two looks at the ranks

/// How long each rank has given no sign of life, as far as somebody looked: while the whole process
/// was paused, or the machine too busy to look, nobody fell silent.
class Watch {
public:
    explicit Watch(const JobMonitor& monitor)
        : m_monitor(monitor)
        , m_last(monitor.look())
        , m_silent(m_last.size()) { }

    /// Looks, and returns the time since the last look that counts.
    std::chrono::nanoseconds look() {
        const Clock::time_point now = Clock::now();
        const auto step = std::min<std::chrono::nanoseconds>(now - m_before, 4 * kGlance);
        m_before = now;
        const std::vector<JobMonitor::Rank> ranks = m_monitor.look();
        for (std::size_t i = 0; i < ranks.size(); ++i)
            m_silent[i] = ranks[i].signs == m_last[i].signs ? m_silent[i] + step : step * 0;
        m_last = ranks;
        return step;
    }

    /// A rank at work that has been silent for `limit`, or one that waits where all do.
    std::optional<int> silentFor(std::chrono::nanoseconds limit) const {
        std::optional<int> waiting;
        bool allWait = true;
        for (std::size_t i = 0; i < m_last.size(); ++i) {
            if (m_last[i].state == JobMonitor::State::Away)
                continue;
            if (m_silent[i] >= limit && m_last[i].state == JobMonitor::State::Working)
                return static_cast<int>(i);
            allWait = allWait && m_silent[i] >= limit;
            waiting = waiting ? waiting : static_cast<int>(i);
        }
        return allWait ? waiting : std::nullopt;
    }

    JobMonitor::State stateOf(int rank) const {
        return m_last[static_cast<std::size_t>(rank)].state;
    }

private:
    const JobMonitor& m_monitor;
    std::vector<JobMonitor::Rank> m_last;
    std::vector<std::chrono::nanoseconds> m_silent;
    Clock::time_point m_before = Clock::now();
};

} // namespace

struct RankTeam::Shared {
    explicit Shared(std::size_t ranks)
        : monitor(std::make_shared<JobMonitor>(static_cast<int>(ranks)))
        , done(ranks) { }

    bool allDone() const {
        return std::all_of(done.begin(), done.end(), [&](std::uint64_t d) { return d == job; });
    }

    std::shared_ptr<JobMonitor> monitor; ///< guards the rest
    std::shared_ptr<const Work> work; ///< of the present job
    std::uint64_t job = 0; ///< counted from 1
    std::vector<std::uint64_t> done; ///< the last job that each rank has left
    bool quit = false;
};

RankTeam::RankTeam(std::vector<std::string> names, RankPatience patience)
    : m_names(std::move(names))
    , m_patience(patience)
    , m_shared(std::make_shared<Shared>(m_names.size())) {
    for (int rank = 0; rank < ranks(); ++rank)
        m_threads.emplace_back([shared = m_shared, rank] { serve(shared, rank); });
}

RankTeam::~RankTeam() {
    m_shared->monitor->change([&] { m_shared->quit = true; });
    for (std::thread& thread : m_threads)
        if (thread.joinable())
            thread.join();
}

std::shared_ptr<JobMonitor> RankTeam::monitor() const {
    return m_shared->monitor;
}

void RankTeam::serve(const std::shared_ptr<Shared>& shared, int rank) {
    JobMonitor& monitor = *shared->monitor;
    for (std::uint64_t job = 1;; ++job) {
        std::shared_ptr<const Work> work;
        bool quit = false;
        monitor.sleep([&] {
            quit = shared->quit;
            if (shared->job == job)
                work = shared->work;
            return quit || work;
        });
        if (quit)
            return;
        try {
            (*work)(rank);
        } catch (...) {
            monitor.end(std::current_exception());
        }
        work.reset(); // what it owns has one owner less before the job is called done
        monitor.leave(rank);
        monitor.change([&] { shared->done[static_cast<std::size_t>(rank)] = job; });
    }
}

void RankTeam::run(Work work, const std::stop_token& stop) {
    JobMonitor& monitor = *m_shared->monitor;
    if (const auto cause = monitor.cause())
        std::rethrow_exception(cause);
    {
        const std::stop_callback cancel(
            stop, [&] { monitor.end(std::make_exception_ptr(Cancelled())); });
        auto shared = std::make_shared<const Work>(std::move(work));
        monitor.begin();
        monitor.change([&] {
            m_shared->work = std::move(shared);
            ++m_shared->job;
        });
        waitForAll();
    }
    monitor.change([&] { m_shared->work.reset(); });
    if (const auto cause = monitor.cause())
        std::rethrow_exception(cause);
}

void RankTeam::waitForAll() {
    JobMonitor& monitor = *m_shared->monitor;
    Watch watch(monitor);
    std::chrono::nanoseconds sinceEnd{0};
    while (!monitor.sleepFor(kGlance, [&] { return m_shared->allDone(); })) {
        const auto step = watch.look();
        if (monitor.cause()) {
            sinceEnd += step;
            if (sinceEnd < m_patience.leaving)
                continue;
            leaveStragglers();
            return;
        }
        if (const auto silent = watch.silentFor(m_patience.silence))
            monitor.end(causeOf(*silent, watch.stateOf(*silent)));
    }
}

/// They hold what they work on and find the job ended whenever they come back.
void RankTeam::leaveStragglers() {
    m_shared->monitor->change([&] {
        for (std::size_t rank = 0; rank < m_threads.size(); ++rank)
            if (m_shared->done[rank] != m_shared->job)
                m_threads[rank].detach();
    });
}

std::exception_ptr RankTeam::causeOf(int silent, JobMonitor::State state) const {
    const std::string rank = "Rank " + std::to_string(silent) + " of " + std::to_string(ranks())
        + " (" + name(silent) + ")";
    const std::string seconds
        = std::to_string((m_patience.silence.count() + 999) / 1000) + " seconds";
    return std::make_exception_ptr(Failure(ErrorKind::Device,
        state == JobMonitor::State::Waiting ? rank + " has waited for keys and values for "
                + seconds + ", and no other rank is at work to send them: the job was ended."
                                            : rank + " has given no sign of life for " + seconds
                + ": the job was ended. Free the device or leave it out of the ring."));
}

} // namespace maskscope
