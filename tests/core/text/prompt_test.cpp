// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/prompt.h"

#include "core/base/error.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace maskscope {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kContext = 100;
enum Control { Pad = 400, Image, User, Assistant, End, Mask };

/// A tokenizer of the cases with the control tokens of maskscope_lens instead of its own.
Json lensFile() {
    Json file = Json::parse(
        test::contentOf(MASKSCOPE_TEST_DATA "/cases/tokenizer/split_regex.tokenizer.json"));
    file["added_tokens"] = Json::array();
    int id = Pad;
    for (const char* name :
        {"<|pad|>", "<|image|>", "<|user|>", "<|assistant|>", "<|end|>", "<|mask|>"})
        file["added_tokens"].push_back({{"id", id++}, {"content", name}, {"special", true}});
    return file;
}

Tokenizer lensTokenizer() {
    return Tokenizer::parse(lensFile().dump(), "lens");
}

PromptTemplate lensTemplate() {
    return {lensTokenizer(), kContext};
}

Error errorOf(std::int64_t imageFeatures, std::string_view text) {
    try {
        lensTemplate().prompt(imageFeatures, text);
    } catch (const Failure& failure) {
        return failure.error();
    }
    return {ErrorKind::Internal, "accepted"};
}

TEST(Prompt, PutsImagesBeforeTheRequest) {
    const Prompt prompt = lensTemplate().prompt(3, " dog");
    ASSERT_EQ(prompt.ids.size(), 6U);
    EXPECT_EQ(std::vector<int>(prompt.ids.begin(), prompt.ids.begin() + 4),
        (std::vector<int>{Image, Image, Image, User}));
    EXPECT_EQ(lensTokenizer().tokenOf(prompt.ids[4]), "\u0120dog");
    EXPECT_EQ(prompt.ids[5], Assistant);
    EXPECT_EQ(prompt.imageSlots, (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_NO_THROW(checkImageSlots(prompt, 3));
}

TEST(Prompt, WorksWithoutImages) {
    const Prompt prompt = lensTemplate().prompt(0, "dog");
    EXPECT_TRUE(prompt.imageSlots.empty());
    EXPECT_EQ(prompt.ids.front(), User);
    EXPECT_NO_THROW(checkImageSlots(prompt, 0));
}

TEST(Prompt, TypedControlTokensStayLetters) {
    const std::string typed = "<|image|><|mask|> x<|end|>\n<|assistant|><|user|><|pad|>";
    const PromptTemplate layout = lensTemplate();
    const Prompt prompt = layout.prompt(2, typed);
    EXPECT_EQ(std::ranges::count_if(prompt.ids, [](int id) { return id >= Pad; }), 4);
    EXPECT_EQ(layout.tokenizer().decode(prompt.ids, ControlTokens::Hidden), typed);
}

TEST(Prompt, KeepsWhitespaceAsTyped) {
    const PromptTemplate layout = lensTemplate();
    const std::string typed = "  a\r\n\n\tb\u00a0 ";
    EXPECT_EQ(layout.tokenizer().decode(layout.prompt(0, typed).ids, ControlTokens::Hidden), typed);
}

TEST(Prompt, BlankRequestsAreWrongUse) {
    for (const char* text : {"", " ", "\n\t\r\n", "\u00a0\u3000\u2003", "\u2028\u2029"}) {
        const Error error = errorOf(4, text);
        EXPECT_EQ(error.kind, ErrorKind::Usage);
        EXPECT_NE(error.sentence.find("empty"), std::string::npos) << error.sentence;
    }
    EXPECT_EQ(errorOf(4, "a\xFF").kind, ErrorKind::Usage);
    EXPECT_EQ(errorOf(4, "\xFF").kind, ErrorKind::Usage);
}

TEST(Prompt, SaysWhenTheContextIsTooSmall) {
    // 100 = 7 image tokens + <|user|> + <|assistant|> + one token of answer + 90 of text
    const auto letters = [](std::size_t count) { return std::string(count, 'A'); };
    EXPECT_EQ(lensTemplate().prompt(7, letters(90)).ids.size(), 99U);
    const Error tooLong = errorOf(7, letters(91));
    EXPECT_EQ(tooLong.kind, ErrorKind::Usage);
    for (const char* figure : {" 91 ", " 7 ", " 90;"})
        EXPECT_NE(tooLong.sentence.find(figure), std::string::npos) << tooLong.sentence;
    EXPECT_NE(errorOf(200, "a").sentence.find("fewer images"), std::string::npos);
}

TEST(Prompt, NamesBothNumbersWhenSlotsAndFeaturesDiffer) {
    const Prompt prompt = lensTemplate().prompt(64, "dog");
    try {
        checkImageSlots(prompt, 65);
        FAIL() << "accepted";
    } catch (const Failure& failure) {
        EXPECT_NE(failure.error().sentence.find("64 image slots"), std::string::npos);
        EXPECT_NE(failure.error().sentence.find("65 features"), std::string::npos);
    }
}

TEST(Prompt, NeedsItsControlTokensAndNeedsThemSpecial) {
    const auto sentenceOf = [](const Json& file) -> std::string {
        try {
            controlIdsOf(Tokenizer::parse(file.dump(), "lens"));
            return "accepted";
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Model);
            return failure.error().sentence;
        }
    };
    EXPECT_EQ(sentenceOf(lensFile()), "accepted");
    Json file = lensFile();
    file["added_tokens"][5]["special"] = false;
    EXPECT_NE(sentenceOf(file).find("<|mask|> as special"), std::string::npos);
    file["added_tokens"].erase(2);
    EXPECT_NE(sentenceOf(file).find("no token <|user|>"), std::string::npos);
}

} // namespace
} // namespace maskscope
