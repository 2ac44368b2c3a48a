// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <string>

namespace maskscope {

/// `tokenize --model DIR`: standard input to token ids, or back with --decode. Text is taken as it
/// was typed: a special token's spelling in it stays text.
class TokenizeCommand final : public Command {
public:
    explicit TokenizeCommand(CLI::App& app);

    int run() const override;

private:
    std::string m_model;
    bool m_decode = false;
};

} // namespace maskscope
