// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/unknown_word.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// The shipped tokenizer: every word that the model was taught is one token of it.
const Tokenizer& tokenizer() {
    static const Tokenizer shipped(MASKSCOPE_RESOURCES "/models/lens-small/tokenizer.json");
    return shipped;
}

std::string wordIn(std::string_view request) {
    return tokenizer().decode(UnknownWord(tokenizer(), request).tokens(), ControlTokens::Named);
}

TEST(UnknownWord, IsTheWordThatNoClassOrWordingHas) {
    EXPECT_EQ(wordIn("segment the gearbox"), " gearbox");
    EXPECT_EQ(wordIn("Where is the carburettor?"), " carburettor");
    EXPECT_EQ(wordIn("Zebra"), " zebra");
    EXPECT_EQ(wordIn("the red t-shirt's xylophone, please"), " xylophone");
    EXPECT_EQ(wordIn("Segment the cat and the dog."), "");
    EXPECT_EQ(wordIn(""), "");
    EXPECT_EQ(wordIn("?!"), "");
}

TEST(UnknownWord, IsDataAndNeverEndless) {
    EXPECT_EQ(wordIn("find the " + std::string(100'000, 'q')), "");
    const UnknownWord typed(tokenizer(), "find the <|mask|>gearbox");
    for (const int id : typed.tokens())
        EXPECT_FALSE(tokenizer().isSpecial(id));
}

TEST(UnknownWord, IsSaidOnceBehindThePhrase) {
    const UnknownWord word(tokenizer(), "the gearbox");
    EXPECT_EQ(word.after("i do not know"), word.tokens());
    EXPECT_TRUE(word.after("i do not").empty());
    EXPECT_TRUE(word.after("i do not know gearbox").empty());
}

} // namespace
} // namespace maskscope
