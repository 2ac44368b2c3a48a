// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

constexpr auto kNone = std::string_view::npos;

// Table 3-7 of the Unicode standard: the first and last sequence of each row, and their neighbours.
TEST(Utf8, AcceptsExactlyTheWellFormedSequences) {
    for (const char* text : {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
             "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_EQ(firstInvalidByte(text), kNone) << text;
        EXPECT_EQ(firstCharacter(text).bytes, std::string_view(text).size());
    }
    for (const char* text : {"\x80", "\xBF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
             "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC2\x41"}) {
        EXPECT_EQ(firstInvalidByte(text), 0U) << text;
        EXPECT_EQ(firstCharacter(text).state, Utf8State::Invalid) << text;
    }
}

TEST(Utf8, DecodesCharacters) {
    EXPECT_EQ(firstCharacter("A").character, U'A');
    EXPECT_EQ(firstCharacter("\u00e9x").character, U'\u00e9');
    EXPECT_EQ(firstCharacter("\u20ac").character, U'\u20ac');
    EXPECT_EQ(firstCharacter("\U0001F600").character, U'\U0001F600');
}

TEST(Utf8, TellsACutCharacterFromAnInvalidOne) {
    for (const char* text : {"\xC3", "\xE2\x82", "\xF0\x9F\x98"}) {
        EXPECT_EQ(firstCharacter(text).state, Utf8State::Cut);
        EXPECT_EQ(firstCharacter(text).bytes, std::string_view(text).size());
    }
    // One replacement for the longest beginning of a character (the standard's table 3-11).
    const Utf8Step step = firstCharacter("\xF0\x9F\x98 ");
    EXPECT_EQ(step.state, Utf8State::Invalid);
    EXPECT_EQ(step.bytes, 3U);
    EXPECT_EQ(firstInvalidByte("ab\xE2\x82"), 2U);
}

TEST(Utf8, PrintableTextIsOneLineThatFits) {
    EXPECT_EQ(printable("gr\u00f6\u00dfe.png"), "gr\u00f6\u00dfe.png");
    EXPECT_EQ(printable("a\nb\tc\x1B[0m\x7F"), "a b c [0m ");
    EXPECT_EQ(printable("a\u2028b\u0085"), "a b ");
    EXPECT_EQ(printable("\xFF\xE2\x82"), "\uFFFD\uFFFD");
    EXPECT_EQ(printable("\u20ac\u20ac\u20ac", 7), "\u20ac\u20ac\u2026");
    EXPECT_EQ(printable("abc", 3), "abc");
}

} // namespace
} // namespace maskscope
