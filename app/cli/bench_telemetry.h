// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/timing_options.h"

#include <filesystem>
#include <string>

namespace maskscope {

/// `bench telemetry`: how much of a run the watching of its memory and the telling of its events
/// take.
class TelemetryBench final : public Command {
public:
    explicit TelemetryBench(Command& bench);
    int run() const override;

private:
    std::filesystem::path m_image;
    std::string m_text = "segment the cake";
    TimingOptions m_timing;
};

} // namespace maskscope
