// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

#include <string_view>
#include <vector>

namespace maskscope {

/// Spells what a small model cannot: when it says that it does not know a word, which word of the
/// request that was. It is the one that the tokenizer, made from all the words that the model was
/// taught, knows least.
class UnknownWord {
public:
    /// What an answer begins with where a word is not known.
    static constexpr std::string_view kPhrase = "i do not know";

    UnknownWord(const Tokenizer& tokenizer, std::string_view request);

    /// The tokens to be said next when an answer reads `answer` so far; empty where the model goes
    /// on by itself.
    std::vector<int> after(std::string_view answer) const;

    const std::vector<int>& tokens() const { return m_tokens; } ///< of " word"; empty: none

private:
    std::vector<int> m_tokens;
};

} // namespace maskscope
