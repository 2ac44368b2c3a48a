// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// What a special token's name in a text means.
enum class SpecialTokens {
    AsText, ///< its letters; what a person typed never becomes a control token
    AsTokens, ///< the token; for templates of our own
};

/// A token that is found by its name before the text is cut into pieces.
struct AddedToken {
    int id = 0;
    std::string content;
    bool isSpecial = false; ///< a control token, not an ordinary word
    bool isNormalized = false; ///< looked for after all those that are not
};

/// Finds the added tokens in a text: the leftmost, and there the longest.
class AddedTokens {
public:
    explicit AddedTokens(std::vector<AddedToken> tokens);

    struct Part {
        std::string_view text;
        std::optional<int> id; ///< of the added token this text is; absent for ordinary text
    };

    /// The text in parts that cover it, none of them empty.
    std::vector<Part> split(std::string_view text, SpecialTokens special) const;

private:
    /// Indices into m_tokens by first byte, long names first.
    using Index = std::array<std::vector<std::size_t>, 256>;

    const AddedToken* longestAt(const Index& index, std::string_view text) const;
    void splitPart(const Index& index, std::string_view text, SpecialTokens special,
        std::vector<Part>& parts) const;

    std::vector<AddedToken> m_tokens;
    Index m_plain;
    Index m_normalized;
};

} // namespace maskscope
