// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace maskscope {

/// `inspect FILE…`: what an image or a checkpoint holds, without running anything.
class InspectCommand {
public:
    explicit InspectCommand(CLI::App& app);

    bool chosen() const;
    bool json() const { return m_json; }

    /// One object (with --json: one line) a file; a file that cannot be read is told and the others
    /// are still done. Returns the exit code.
    int run() const;

private:
    CLI::App* m_command = nullptr;
    std::vector<std::filesystem::path> m_files;
    std::vector<std::string> m_pixels;
    bool m_json = false;
};

} // namespace maskscope
