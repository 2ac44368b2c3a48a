// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/timing_options.h"
#include "core/history/run_header.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace maskscope {

/// `bench startup`: from the start of a process to its first mask.
class StartupBench final : public Command {
public:
    explicit StartupBench(Command& bench);
    int run() const override;

private:
    /// Milliseconds since the process was started.
    struct Times {
        double program = 0; ///< until it has ended having done nothing
        double ready = 0; ///< until the model is loaded
        double firstMask = 0;
    };

    RunHeader header() const;
    Times measured(const RunHeader& header, const std::stop_token& stop) const;

    std::filesystem::path m_image;
    std::string m_text = "segment the cake";
    TimingOptions m_timing;
};

} // namespace maskscope
