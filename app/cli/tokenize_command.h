// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace maskscope {

/// `tokenize --model DIR`: standard input to token ids, or back with --decode. Text is taken as it
/// was typed: a special token's spelling in it stays text.
class TokenizeCommand {
public:
    explicit TokenizeCommand(CLI::App& app);

    bool chosen() const;
    bool json() const { return m_json; }
    int run() const;

private:
    CLI::App* m_command = nullptr;
    std::string m_model;
    bool m_decode = false;
    bool m_json = false;
};

} // namespace maskscope
