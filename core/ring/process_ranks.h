// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/process_group.h"
#include "core/ring/ring.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// A ring whose ranks are processes, of which this is one. All of them run the same requests.
class ProcessRanks final : public Ring {
public:
    /// The group outlives it and is used by nobody else meanwhile.
    explicit ProcessRanks(ProcessGroup& group);
    ~ProcessRanks() override;
    ProcessRanks(const ProcessRanks&) = delete;
    ProcessRanks& operator=(const ProcessRanks&) = delete;

    RingRanks place() const override { return {m_group.grid(), m_group.rank()}; }
    std::string device(int rank) const override;
    std::vector<std::int64_t> peakBytes() override;
    std::vector<RankTimes> times() override;
    void run(Work work, const std::stop_token& stop) override;
    void gather(const at::Tensor& rows, const RingPlan& plan, const std::stop_token& stop) override;

private:
    template <class Step>
    void guarded(const std::stop_token& stop, const Step& step);
    template <class Value>
    std::vector<Value> ofAll(const Value& mine);

    ProcessGroup& m_group;
    std::shared_ptr<JobMonitor> m_monitor;
    RingRank m_rank;
    std::optional<RankTimes> m_times; ///< of this rank
    struct Peak;
    std::unique_ptr<Peak> m_peak;
};

} // namespace maskscope
