// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/vocabulary.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <utility>

namespace maskscope {
namespace {

std::string quoted(std::string_view spelling) {
    return "\"" + printable(spelling) + "\"";
}

} // namespace

void Vocabulary::add(int id, Token token) {
    const auto [known, isNewSpelling] = m_ids.try_emplace(token.spelling, id);
    if (known->second != id)
        throw Failure(ErrorKind::Model,
            "it gives the token " + quoted(token.spelling) + " the ids "
                + std::to_string(known->second) + " and " + std::to_string(id));
    const auto [place, isNewId] = m_tokens.try_emplace(id);
    if (isNewSpelling && !isNewId)
        throw Failure(ErrorKind::Model,
            "it gives the id " + std::to_string(id) + " to the tokens "
                + quoted(place->second.spelling) + " and " + quoted(token.spelling));
    place->second = std::move(token);
    m_idLimit = std::max(m_idLimit, id + 1);
}

const Vocabulary::Token* Vocabulary::find(int id) const {
    const auto found = m_tokens.find(id);
    return found == m_tokens.end() ? nullptr : &found->second;
}

std::optional<int> Vocabulary::idOf(std::string_view spelling) const {
    const auto found = m_ids.find(spelling);
    if (found == m_ids.end())
        return std::nullopt;
    return found->second;
}

} // namespace maskscope
