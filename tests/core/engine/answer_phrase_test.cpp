// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/answer_phrase.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

TEST(AnswerPhrase, IsTheWordsBeforeEachMask) {
    AnswerPhrase phrase;
    for (const char* text : {"the", " cat", " :", " "})
        phrase.add(text);
    EXPECT_EQ(phrase.take(), "the cat");
    for (const char* text : {" ,", " the", " dog", " : "})
        phrase.add(text);
    EXPECT_EQ(phrase.take(), "the dog");
    EXPECT_EQ(phrase.take(), "the dog") << "a second one";
    phrase.add(" , : ");
    EXPECT_EQ(phrase.take(), "the dog");
}

TEST(AnswerPhrase, IsEmptyWhereNothingWasSaid) {
    AnswerPhrase phrase;
    EXPECT_EQ(phrase.take(), "");
    phrase.add(" : ");
    EXPECT_EQ(phrase.take(), "");
}

} // namespace
} // namespace maskscope
