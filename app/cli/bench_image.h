// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/timing_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// `bench image`: what a picture costs before the model sees it.
class ImageBench final : public Command {
public:
    explicit ImageBench(Command& bench);
    int run() const override;

private:
    std::vector<std::filesystem::path> m_files;
    std::string m_pixels = "1048576";
    TimingOptions m_timing;
};

} // namespace maskscope
