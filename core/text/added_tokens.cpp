// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/added_tokens.h"

#include <algorithm>
#include <utility>

namespace maskscope {

AddedTokens::AddedTokens(std::vector<AddedToken> tokens)
    : m_tokens(std::move(tokens)) {
    std::ranges::stable_sort(
        m_tokens, std::greater<>(), [](const AddedToken& token) { return token.content.size(); });
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        Index& index = m_tokens[i].isNormalized ? m_normalized : m_plain;
        index[static_cast<unsigned char>(m_tokens[i].content.front())].push_back(i);
    }
}

std::vector<AddedTokens::Part> AddedTokens::split(
    std::string_view text, SpecialTokens special) const {
    std::vector<Part> parts;
    splitPart(m_plain, text, special, parts);
    std::vector<Part> result;
    for (const Part& part : parts) {
        if (part.id)
            result.push_back(part);
        else
            splitPart(m_normalized, part.text, special, result);
    }
    return result;
}

const AddedToken* AddedTokens::longestAt(const Index& index, std::string_view text) const {
    for (const std::size_t i : index[static_cast<unsigned char>(text.front())])
        if (text.starts_with(m_tokens[i].content))
            return &m_tokens[i];
    return nullptr;
}

void AddedTokens::splitPart(const Index& index, std::string_view text, SpecialTokens special,
    std::vector<Part>& parts) const {
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
        const AddedToken* token = longestAt(index, text.substr(at));
        if (token == nullptr) {
            ++at;
            continue;
        }
        // A name that stays text still hides the shorter names inside it.
        if (!token->isSpecial || special == SpecialTokens::AsTokens) {
            if (at > done)
                parts.push_back({text.substr(done, at - done), std::nullopt});
            parts.push_back({text.substr(at, token->content.size()), token->id});
            done = at + token->content.size();
        }
        at += token->content.size();
    }
    if (done < text.size())
        parts.push_back({text.substr(done), std::nullopt});
}

} // namespace maskscope
