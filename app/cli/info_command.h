// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace maskscope {

/// `info [--model DIR]`: devices, what each attention path can do here, and a model's parts.
class InfoCommand {
public:
    explicit InfoCommand(CLI::App& app);

    bool chosen() const;
    bool json() const { return m_json; }
    int run() const;

private:
    CLI::App* m_command = nullptr;
    std::string m_model;
    bool m_json = false;
};

} // namespace maskscope
