// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <string>

namespace maskscope {

/// `info [--model DIR]`: devices, what each attention path can do here, and a model's parts.
class InfoCommand final : public Command {
public:
    explicit InfoCommand(CLI::App& app);

    int run() const override;

private:
    std::string m_model;
};

} // namespace maskscope
