// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/measure/ring_cost.h"

#include <string>

namespace maskscope {

/// `bench ring`: what sharing one attention over ranks costs in all.
class RingBench final : public Command {
public:
    explicit RingBench(Command& bench);
    int run() const override;

private:
    void tell(const RingCostPlan& plan, const RingCost& cost) const;

    RingCostPlan m_plan;
    std::string m_devices;
    std::string m_dtype = "fp32";
};

} // namespace maskscope
