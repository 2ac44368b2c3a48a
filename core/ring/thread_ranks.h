// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/rank_team.h"
#include "core/ring/ring.h"
#include "core/ring/thread_ring.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace maskscope {

struct RingSettings {
    std::vector<std::string> devices{"cpu", "cpu"}; ///< one for each rank; checked
    int threads = 1; ///< in all: each rank has an equal part of them, and at least one
    /// Heads that one pass is over; 0 = few, so that staging is small.
    std::int64_t heads = 0;
    RankPatience patience;
    int ulysses = 1; ///< see RankGrid
    LinkWishes links = {};
};

/// A ring within this process: each rank is a thread on the CPU.
class ThreadRanks final : public Ring {
public:
    /// Throws Failure(Usage) where the devices do not make a grid.
    explicit ThreadRanks(const RingSettings& settings);
    ~ThreadRanks() override;
    ThreadRanks(const ThreadRanks&) = delete;
    ThreadRanks& operator=(const ThreadRanks&) = delete;

    RingRanks place() const override { return {m_grid, {}}; }
    std::string device(int rank) const override { return m_team.name(rank); }
    std::vector<std::int64_t> peakBytes() override;

    /// The highest live tensor bytes of the process in any run so far, had all ranks reached their
    /// own peaks together: no less than what they did reach, and the same every time.
    std::int64_t jointPeakBytes() const { return m_jointPeak; }

    std::vector<RankTimes> times() override { return m_times; }
    void run(Work work, const std::stop_token& stop) override;
    /// They share their memory.
    void gather(const at::Tensor&, const RingPlan&, const std::stop_token&) override { }

private:
    struct Shared;
    RankGrid m_grid;
    RankTeam m_team;
    std::shared_ptr<Shared> m_shared; ///< also that of a rank that was left to itself
    std::int64_t m_jointPeak = 0;
    std::vector<RankTimes> m_times;
};

} // namespace maskscope
