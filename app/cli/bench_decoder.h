// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/timing_options.h"
#include "core/measure/decoder_cost.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope {

/// `bench decoder`: what the mask decoder costs on each attention path.
class DecoderBench final : public Command {
public:
    explicit DecoderBench(Command& bench);
    int run() const override;

private:
    DecoderPlan plan() const;
    void tell(const std::vector<DecoderCost>& costs) const;

    std::vector<std::int64_t> m_patches{1024, 3952};
    std::vector<std::string> m_paths{"mha", "sdpa", "flash"};
    TimingOptions m_timing;
};

} // namespace maskscope
