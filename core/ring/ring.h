// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/job_monitor.h"
#include "core/ring/rank_grid.h"
#include "core/ring/rank_times.h"
#include "core/ring/ring_plan.h"
#include "core/ring/ring_staging.h"
#include "core/ring/ring_timeline.h"
#include "core/ring/transport.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace maskscope {

/// A rank as its work sees it, on its own thread.
class RingRank {
public:
    RingRank(int index, std::shared_ptr<JobMonitor> monitor, Transport& transport,
        std::int64_t heads = 0, std::shared_ptr<RingTimeline> timeline = nullptr)
        : m_index(index)
        , m_monitor(std::move(monitor))
        , m_transport(transport)
        , m_heads(heads)
        , m_timeline(std::move(timeline)) { }

    int index() const { return m_index; }
    /// To be called between pieces of work of at most about 150 ms; throws when the job has ended.
    void alive() const { m_monitor->alive(m_index); }
    Transport& transport() const { return m_transport; }
    RingStaging& staging() { return m_staging; }
    std::int64_t heads() const { return m_heads; } ///< see RingSettings

    /// For the timeline, if there is one: until it goes, this is what the rank computes.
    ComputePiece piece(std::string name) const {
        return {m_timeline.get(), m_index, std::move(name)};
    }

private:
    int m_index;
    std::shared_ptr<JobMonitor> m_monitor;
    Transport& m_transport;
    std::int64_t m_heads;
    std::shared_ptr<RingTimeline> m_timeline;
    RingStaging m_staging;
};

/// The ranks that share one attention, each with staging buffers and an account of its memory. One
/// at a time in a process; for as long as a request.
class Ring {
public:
    virtual ~Ring() = default;

    virtual RingRanks place() const = 0;
    RankGrid grid() const { return place().grid; }
    int ranks() const { return grid().ranks(); }
    virtual std::string device(int rank) const = 0;

    /// The highest live tensor bytes of each rank since the ring was made. All processes of a ring
    /// ask at the same time.
    virtual std::vector<std::int64_t> peakBytes() = 0;

    /// What each rank did in the last run that went well; empty before. All processes of a ring ask
    /// at the same time.
    virtual std::vector<RankTimes> times() = 0;

    /// Done by each rank at the same time; see RankTeam::Work for what it may hold.
    using Work = std::function<void(RingRank&)>;
    /// Runs it to its end, in the caller's LibTorch modes and memory category: in this process for
    /// the ranks that are in it. Throws the first cause that ended it: an exception of the work,
    /// Failure(Device) that names a rank that is silent or lost, Cancelled.
    virtual void run(Work work, const std::stop_token& stop) = 0;

    /// After a run in which each rank has written its share of the plan's rows [T, ...]
    /// (contiguous): makes them whole in every process.
    virtual void gather(const at::Tensor& rows, const RingPlan& plan, const std::stop_token& stop)
        = 0;
};

} // namespace maskscope
