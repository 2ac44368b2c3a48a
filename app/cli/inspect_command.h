// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// `inspect FILE…`: what an image or a checkpoint holds, without running anything.
class InspectCommand final : public Command {
public:
    explicit InspectCommand(CLI::App& app);

    /// One object (with --json: one line) a file; a file that cannot be read is told and the others
    /// are still done. Returns the exit code.
    int run() const override;

private:
    std::vector<std::filesystem::path> m_files;
    std::vector<std::string> m_pixels;
};

} // namespace maskscope
