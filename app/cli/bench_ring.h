// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/ring_report.h"
#include "core/measure/ring_cost.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// `bench ring`: what sharing one attention over ranks costs in all, which way to share is
/// recommended, and whether it wins.
class RingBench final : public Command {
public:
    explicit RingBench(Command& bench);
    int run() const override;

private:
    /// All of these with each other.
    struct Grid {
        std::vector<std::int64_t> patches;
        std::vector<std::vector<std::string>> devices; ///< of each ring
        std::vector<LinkRate> links;

        std::size_t points() const { return patches.size() * devices.size() * links.size(); }
    };
    Grid grid() const;
    void measureAll(const Grid& grid, RingReport& report, const std::stop_token& stop) const;

    RingCostPlan m_plan;
    std::vector<std::int64_t> m_patches;
    std::vector<int> m_ranks;
    std::vector<double> m_links;
    double m_latencyUs = 10;
    std::string m_devices;
    std::string m_dtype = "fp32";
    std::string m_trace;
    bool m_force = false;
    bool m_isGrid = false;
};

} // namespace maskscope
