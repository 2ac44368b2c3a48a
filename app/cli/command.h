// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace maskscope {

/// One sub-command of maskscope-cli: its options, and what it does when it was chosen.
class Command {
public:
    virtual ~Command() = default;
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    bool chosen() const;
    bool json() const { return *m_wantsJson; }

    /// Runs and returns the exit code. Errors that concern the whole call are thrown as Failures.
    virtual int run() const = 0;

protected:
    /// Adds the sub-command with its --json to `app`, which outlives it; `example` closes its help.
    Command(CLI::App& app, const std::string& name, const std::string& purpose,
        const std::string& example);
    /// A part of a command: `whole part …`; it shares the --json of the whole, which outlives it.
    Command(Command& whole, const std::string& name, const std::string& purpose,
        const std::string& example);

    CLI::App& options() { return *m_command; }
    bool given(const std::string& option) const;

private:
    void describe(const std::string& example);

    CLI::App* m_command;
    bool m_json = false;
    bool* m_wantsJson = &m_json;
};

} // namespace maskscope
