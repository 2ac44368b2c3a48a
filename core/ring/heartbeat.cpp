// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/heartbeat.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <utility>

namespace maskscope {

namespace {

constexpr std::chrono::milliseconds kBeat{500};
constexpr std::int64_t kStopped = std::int64_t(1) << 40; ///< more than anybody counts to

} // namespace

std::string secondsText(std::chrono::milliseconds time) {
    return std::to_string((time.count() + 999) / 1000) + " seconds";
}

void Pulse::follow(std::function<std::uint64_t()> signs) {
    const std::lock_guard lock(m_mutex);
    m_signs = std::move(signs);
    m_still = {};
}

void Pulse::setWaiting(bool waiting) {
    const std::lock_guard lock(m_mutex);
    m_waiting = waiting;
    m_still = {};
}

bool Pulse::hasStopped() {
    const std::lock_guard lock(m_mutex);
    const Clock::time_point now = Clock::now();
    const auto step = std::min<Clock::duration>(now - m_before, 4 * kBeat);
    m_before = now;
    const std::uint64_t signs = m_signs ? m_signs() : 0;
    const bool still = m_signs && !m_waiting && signs == m_last;
    m_last = signs;
    m_still = still ? m_still + step : Clock::duration{};
    return m_still > m_most;
}

Heartbeat::Heartbeat(int rank, int ranks, std::chrono::milliseconds silence, Pulse& pulse,
    Counter counter, std::function<void(const std::string&)> onLost)
    : m_rank(rank)
    , m_silence(silence)
    , m_pulse(pulse)
    , m_counter(std::move(counter))
    , m_onLost(std::move(onLost))
    , m_seen(static_cast<std::size_t>(ranks), Seen{-1, Clock::now()})
    , m_thread([this](const std::stop_token& stop) { watch(stop); }) { }

void Heartbeat::watch(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        try {
            m_counter(m_rank, m_pulse.hasStopped() ? kStopped : 1);
            for (std::size_t rank = 0; rank < m_seen.size(); ++rank)
                if (const std::string lost = lostRank(rank); !lost.empty())
                    return m_onLost(lost);
        } catch (const std::exception&) {
            return m_onLost(nameOf(0) + ", which all ranks meet at, has ended.");
        }
        wake.wait_for(lock, stop, kBeat, [] { return false; });
    }
}

/// A sentence, or nothing while the rank lives.
std::string Heartbeat::lostRank(std::size_t rank) {
    Seen& seen = m_seen[rank];
    const std::int64_t beat = m_counter(static_cast<int>(rank), 0);
    if (beat >= kStopped)
        return nameOf(rank) + " has given no sign of life for " + secondsText(m_pulse.most())
            + ": what it computes stands still.";
    if (beat != seen.beat)
        seen = {beat, Clock::now()};
    else if (Clock::now() - seen.since > m_silence)
        return nameOf(rank) + " has given no sign of life for " + secondsText(m_silence)
            + ": its process has ended or stands still.";
    return {};
}

std::string Heartbeat::nameOf(std::size_t rank) const {
    return "Rank " + std::to_string(rank) + " of " + std::to_string(m_seen.size());
}

} // namespace maskscope
