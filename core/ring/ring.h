// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/rank_team.h"
#include "core/ring/ring_staging.h"
#include "core/ring/transport.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

struct RingSettings {
    std::vector<std::string> devices{"cpu", "cpu"}; ///< one for each rank; checked
    int threads = 1; ///< in all: each rank has an equal part of them, and at least one
    /// Heads that one pass is over; 0 = few, so that staging is small.
    std::int64_t heads = 0;
    RankPatience patience;
};

/// A rank as its work sees it, on its own thread.
class RingRank {
public:
    RingRank(
        int index, std::shared_ptr<JobMonitor> monitor, Transport& transport, std::int64_t heads)
        : m_index(index)
        , m_monitor(std::move(monitor))
        , m_transport(transport)
        , m_heads(heads) { }

    int index() const { return m_index; }
    /// To be called between pieces of work of at most about 150 ms; throws when the job has ended.
    void alive() const { m_monitor->alive(m_index); }
    Transport& transport() const { return m_transport; }
    RingStaging& staging() { return m_staging; }
    std::int64_t heads() const { return m_heads; } ///< see RingSettings

private:
    int m_index;
    std::shared_ptr<JobMonitor> m_monitor;
    Transport& m_transport;
    std::int64_t m_heads;
    RingStaging m_staging;
};

/// The ranks that share one attention: here each is a thread on the CPU, with staging buffers and
/// an account of its memory (rankLedger). One at a time in a process; for as long as a request.
class Ring {
public:
    explicit Ring(const RingSettings& settings);
    ~Ring();
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    int ranks() const { return m_team.ranks(); }
    const std::string& device(int rank) const { return m_team.name(rank); }
    /// The highest live tensor bytes of a rank since the ring was made.
    std::int64_t peakBytes(int rank) const;

    /// Done by each rank at the same time; see RankTeam::Work for what it may hold.
    using Work = std::function<void(RingRank&)>;
    /// Runs it to its end, in the caller's LibTorch modes and memory category. Throws the first
    /// cause that ended it, see RankTeam::run().
    void run(Work work, const std::stop_token& stop);

private:
    struct Shared;
    RankTeam m_team;
    std::shared_ptr<Shared> m_shared; ///< also that of a rank that was left to itself
};

} // namespace maskscope
