// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include <CLI/CLI.hpp>

namespace maskscope {

Command::Command(
    CLI::App& app, const std::string& name, const std::string& purpose, const std::string& example)
    : m_command(app.add_subcommand(name, purpose)) {
    describe(example);
}

Command::Command(
    Command& whole, const std::string& name, const std::string& purpose, const std::string& example)
    : m_command(whole.m_command->add_subcommand(name, purpose))
    , m_wantsJson(whole.m_wantsJson) {
    describe(example);
}

void Command::describe(const std::string& example) {
    m_command->footer("Example:\n  " + example);
    m_command->add_flag(
        "--json", *m_wantsJson, "One JSON object a line on stdout and nothing else");
}

bool Command::chosen() const {
    return m_command->parsed();
}

bool Command::given(const std::string& option) const {
    return m_command->count(option) > 0;
}

} // namespace maskscope
