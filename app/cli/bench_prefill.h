// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/timing_options.h"
#include "core/measure/prefill_cost.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope {

/// `bench prefill`: what a prompt costs before the first token of the answer.
class PrefillBench final : public Command {
public:
    explicit PrefillBench(Command& bench);
    int run() const override;

private:
    PrefillPlan plan() const;
    void tell(const PrefillCost& cost) const;

    std::string m_preset;
    std::vector<std::int64_t> m_lengths{64, 128, 256, 512, 1024};
    TimingOptions m_timing;
};

} // namespace maskscope
