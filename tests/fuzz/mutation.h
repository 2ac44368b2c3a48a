// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace maskscope::test {

/// Damages valid input at random, the same way for the same seed.
class Mutation {
public:
    explicit Mutation(std::uint64_t seed)
        : m_random(seed) { }

    /// `text` with one to four pieces flipped, removed, repeated, inserted or cut off.
    std::string of(std::string text) {
        for (std::size_t i = below(4) + 1; i > 0; --i)
            change(text);
        return text;
    }

    std::size_t below(std::size_t limit) { return m_random() % limit; }

private:
    void change(std::string& text) {
        // Values at which parsers and size calculations break.
        constexpr std::array<std::string_view, 16> kHostile{"18446744073709551615",
            "9223372036854775807", "4294967296", "-1", "1e308", "0", "null", "[", "{", "\"", "\\",
            "\xFF", "\xC3", "[]", "(?:a+)+", "\\p{N}"};
        const std::size_t at = below(text.size() + 1);
        const std::size_t length = below(16);
        switch (below(6)) {
        case 0:
            if (at < text.size())
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(below(text.size() + 1), text.substr(at, length));
            break;
        case 3:
            text.insert(at, kHostile[below(kHostile.size())]);
            break;
        case 4:
            text.replace(at, length, kHostile[below(kHostile.size())]);
            break;
        default:
            if (below(8) == 0)
                text.resize(at);
        }
    }

    std::mt19937_64 m_random;
};

} // namespace maskscope::test
