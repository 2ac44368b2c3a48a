// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace maskscope {

/// Tokens by id and by spelling. Ids may have gaps.
class Vocabulary {
public:
    struct Token {
        std::string spelling; ///< as in the file: "Ġdog", "<|mask|>"
        std::string bytes; ///< what it adds to a text
        bool isSpecial = false; ///< a control token
    };

    /// Adds a token, or declares one that is there special. Throws Failure(Model), with the reason
    /// only, when the id or the spelling already belongs to another token.
    void add(int id, Token token);

    const Token* find(int id) const; ///< null when no token has it
    std::optional<int> idOf(std::string_view spelling) const;
    int idLimit() const { return m_idLimit; } ///< one more than the greatest id

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };

    std::unordered_map<int, Token> m_tokens;
    std::unordered_map<std::string, int, Hash, std::equal_to<>> m_ids;
    int m_idLimit = 0;
};

} // namespace maskscope
