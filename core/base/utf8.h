// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace maskscope {

enum class Utf8State {
    Complete, ///< a whole character
    Cut, ///< the text ends inside a character that may still become whole
    Invalid, ///< bytes that no continuation can make a character
};

/// What stands at the beginning of a text. `bytes` is never 0: for Invalid and Cut it is the
/// longest part that one U+FFFD replaces (Unicode 15, chapter 3.9, "substitution of maximal
/// subparts").
struct Utf8Step {
    Utf8State state = Utf8State::Invalid;
    std::size_t bytes = 1;
    char32_t character = 0xFFFD;
};

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// Reads the first character of a text that is not empty. Surrogates and overlong forms are
/// invalid.
Utf8Step firstCharacter(std::string_view text);

/// Offset of the first byte that is not part of a whole character; npos when there is none.
std::size_t firstInvalidByte(std::string_view text);

/// A name or a piece of a file made fit for an error sentence: one line, valid UTF-8, at most
/// `maxBytes` (then cut at a character and ended with "…").
std::string printable(std::string_view text, std::size_t maxBytes = 200);

} // namespace maskscope
