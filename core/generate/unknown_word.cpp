// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/unknown_word.h"

#include <string>
#include <utility>

namespace maskscope {

namespace {

constexpr std::size_t kLongestWord = 48; ///< bytes; longer ones are not words

bool isPartOfAWord(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z')
        || (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '\'';
}

} // namespace

UnknownWord::UnknownWord(const Tokenizer& tokenizer, std::string_view request) {
    for (std::size_t at = 0; at < request.size(); ++at) {
        if (!isPartOfAWord(request[at]))
            continue;
        const std::size_t begin = at;
        while (at < request.size() && isPartOfAWord(request[at]))
            ++at;
        if (at - begin > kLongestWord)
            continue;
        // The later of equals: what is asked for comes last.
        std::string word(request.substr(begin, at - begin));
        for (char& c : word)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        auto tokens = tokenizer.encode(" " + word, SpecialTokens::AsText);
        if (tokens.size() > 1 && tokens.size() >= m_tokens.size())
            m_tokens = std::move(tokens);
    }
}

std::vector<int> UnknownWord::after(std::string_view answer) const {
    return answer == kPhrase ? m_tokens : std::vector<int>();
}

} // namespace maskscope
