// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/base/error.h"
#include "core/text/text_stream.h"
#include "tests/temporary_folder.h"

#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <pthread.h>
#include <thread>

namespace maskscope {
namespace {

using Json = nlohmann::json;
using test::contentOf;
using Ids = std::vector<int>;

const std::filesystem::path kCases = MASKSCOPE_TEST_DATA "/cases/tokenizer";

Json expected() {
    return Json::parse(contentOf(kCases / "expected.json"));
}

Json caseFile(const std::string& name) {
    return Json::parse(contentOf(kCases / name));
}

/// The CRC-32 of zlib over little-endian 32-bit ids.
std::uint32_t crcOf(const Ids& ids) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const int id : ids) {
        for (int byte = 0; byte < 4; ++byte) {
            crc ^= (static_cast<std::uint32_t>(id) >> (8 * byte)) & 0xFF;
            for (int bit = 0; bit < 8; ++bit)
                crc = (crc >> 1) ^ (0xEDB88320 & (0U - (crc & 1)));
        }
    }
    return ~crc;
}

std::string textOf(const Json& entry) {
    if (entry.at("text").is_string())
        return entry.at("text");
    std::string text;
    for (int i = 0; i < entry.at("repeat").at("count"); ++i)
        text += entry.at("repeat").at("unit").get<std::string>();
    return text;
}

std::optional<Error> errorOf(const Json& file) {
    try {
        Tokenizer::parse(file.dump(), "t.json");
        return std::nullopt;
    } catch (const Failure& failure) {
        return failure.error();
    }
}

void expectRefusal(const Json& file, const std::string& word) {
    const auto error = errorOf(file);
    ASSERT_TRUE(error) << "accepted; should name " << word;
    EXPECT_EQ(error->kind, ErrorKind::Model);
    EXPECT_EQ(error->sentence.find("Cannot load t.json: "), 0U) << error->sentence;
    EXPECT_NE(error->sentence.find(word), std::string::npos) << error->sentence;
}

TEST(Tokenizer, GivesTheIdsOfEveryCase) {
    int seen = 0;
    const Json cases = expected();
    for (const auto& item : cases.at("tokenizers").items()) {
        const Tokenizer tokenizer(kCases / item.value().at("file").get<std::string>());
        EXPECT_EQ(tokenizer.idLimit(), item.value().at("n_vocab").get<int>());
        for (const auto& [name, entry] : item.value().at("cases").items()) {
            SCOPED_TRACE(item.key() + " " + name);
            const std::string text = textOf(entry);
            const auto start = std::chrono::steady_clock::now();
            const Ids ids = tokenizer.encode(text, SpecialTokens::AsText);
            EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
            EXPECT_EQ(tokenizer.decode(ids, ControlTokens::Named), text);
            ++seen;
            if (entry.contains("n_ids")) {
                EXPECT_EQ(ids.size(), entry.at("n_ids").get<std::size_t>());
                EXPECT_EQ(crcOf(ids), entry.at("crc32_ids_le32").get<std::uint32_t>());
                continue;
            }
            EXPECT_EQ(ids, entry.at("ids_as_text").get<Ids>());
            const Json& parsed
                = entry.contains("ids_parsed") ? entry.at("ids_parsed") : entry.at("ids_as_text");
            EXPECT_EQ(tokenizer.encode(text, SpecialTokens::AsTokens), parsed.get<Ids>());
        }
    }
    EXPECT_EQ(seen, 81);
}

// tests/golden/tokenizer_strings.py made these with the tokenizers library.
TEST(Tokenizer, AgreesWithTheReferenceOnRandomStrings) {
    int seen = 0;
    const auto rows = Json::parse(contentOf(MASKSCOPE_TEST_DATA "/golden/tokenizer_strings.json"));
    for (const Json& row : rows) {
        const Json& patch = row.at("patch");
        SCOPED_TRACE(row.at("file").get<std::string>() + " " + patch.dump());
        Json file = caseFile(row.at("file"));
        if (patch.contains("pre_tokenizer"))
            file["pre_tokenizer"] = nullptr;
        file.merge_patch(patch);
        const Tokenizer tokenizer = Tokenizer::parse(file.dump(), "golden");
        for (const Json& entry : row.at("cases")) {
            const auto text = entry.at("text").get<std::string>();
            SCOPED_TRACE(entry.dump());
            const Json& typed = entry.at("typed");
            ASSERT_EQ(tokenizer.encode(text, SpecialTokens::AsText), typed.get<Ids>());
            const Json& parsed = entry.contains("parsed") ? entry.at("parsed") : typed;
            ASSERT_EQ(tokenizer.encode(text, SpecialTokens::AsTokens), parsed.get<Ids>());
            ++seen;
        }
    }
    EXPECT_GT(seen, 1500);
}

TEST(Tokenizer, NeedsLittleStackForLongText) {
    const Tokenizer tokenizer(kCases / "split_regex.tokenizer.json");
    std::size_t count = 0;
    const auto work = [&] {
        for (const char* unit : {"a", " ", "\n", "\r\n", ".", "7", "\u56fe", "'", " \n"}) {
            std::string text;
            while (text.size() < 60000)
                text += unit;
            count += tokenizer.encode(text + "x", SpecialTokens::AsText).size();
        }
    };
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{256} * 1024);
    pthread_t thread{};
    const auto run = [](void* function) -> void* {
        (*static_cast<decltype(work)*>(function))();
        return nullptr;
    };
    ASSERT_EQ(pthread_create(
                  &thread, &attributes, run, const_cast<void*>(static_cast<const void*>(&work))),
        0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    EXPECT_GT(count, 100000U);
}

TEST(Tokenizer, RefusesTextThatIsNotUtf8) {
    const Tokenizer tokenizer(kCases / "digits_bytelevel.tokenizer.json");
    const std::string text = contentOf(kCases / "bad_utf8_prompt.txt");
    try {
        tokenizer.encode(text, SpecialTokens::AsText);
        FAIL() << "accepted";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Usage);
        EXPECT_NE(failure.error().sentence.find("byte 5 "), std::string::npos);
    }
    EXPECT_THROW(tokenizer.encode("\xED\xA0\x80", SpecialTokens::AsText), Failure);
    EXPECT_THROW(tokenizer.encode("\xC0\x80", SpecialTokens::AsText), Failure);
}

TEST(Tokenizer, HidesControlTokensAndRefusesUnknownIds) {
    const Tokenizer tokenizer(kCases / "digits_bytelevel.tokenizer.json");
    const Ids ids = tokenizer.encode("a<|mask|> dog", SpecialTokens::AsTokens);
    EXPECT_EQ(tokenizer.decode(ids, ControlTokens::Hidden), "a dog");
    EXPECT_EQ(tokenizer.decode(ids, ControlTokens::Named), "a<|mask|> dog");
    EXPECT_EQ(tokenizer.idOf("<|mask|>"), 341);
    EXPECT_TRUE(tokenizer.isSpecial(341));
    EXPECT_FALSE(tokenizer.isSpecial(331));
    EXPECT_FALSE(tokenizer.isSpecial(-1));
    EXPECT_EQ(tokenizer.tokenOf(331), "\u0120dog");
    EXPECT_EQ(tokenizer.bytesOf(331), " dog");
    EXPECT_EQ(tokenizer.idOf("no such token"), std::nullopt);
    EXPECT_EQ(tokenizer.tokenOf(343), std::nullopt);
    EXPECT_THROW(tokenizer.decode(Ids{343}, ControlTokens::Named), Failure);
    EXPECT_THROW(tokenizer.bytesOf(-1), Failure);
}

TEST(Tokenizer, OrdinaryAddedWordsAreFoundInTypedText) {
    Json file = caseFile("digits_bytelevel.tokenizer.json");
    file["added_tokens"].push_back({{"id", 343}, {"content", "maskscope"}, {"special", false}});
    file["added_tokens"].push_back({{"id", 344}, {"content", "maskscopes"}, {"special", false}});
    const Tokenizer tokenizer = Tokenizer::parse(file.dump(), "t.json");
    EXPECT_EQ(tokenizer.encode("maskscopesmaskscope", SpecialTokens::AsText), (Ids{344, 343}));
}

TEST(Tokenizer, BytesWithoutTokenAreDroppedOrUnknownAsInTheReference) {
    Json file = caseFile("digits_bytelevel.tokenizer.json");
    file["model"]["merges"] = Json::array();
    file["model"]["vocab"] = {{"a", 0}, {"?", 1}};
    file["added_tokens"] = Json::array();
    const auto encoded = [&] {
        return Tokenizer::parse(file.dump(), "t.json").encode("abba", SpecialTokens::AsText);
    };
    EXPECT_EQ(encoded(), (Ids{0, 0}));
    file["model"]["unk_token"] = "?";
    EXPECT_EQ(encoded(), (Ids{0, 1, 1, 0}));
    file["model"]["fuse_unk"] = true;
    EXPECT_EQ(encoded(), (Ids{0, 1, 0}));
}

TEST(Tokenizer, RefusesBrokenFilesByName) {
    const auto refusal = [](const char* file) {
        try {
            const Tokenizer tokenizer(kCases / file);
            return std::string("accepted");
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Model);
            EXPECT_NE(failure.error().sentence.find(file), std::string::npos);
            return failure.error().sentence;
        }
    };
    EXPECT_NE(refusal("bad_truncated.tokenizer.json").find("byte 43"), std::string::npos);
    EXPECT_NE(refusal("bad_missing_merge_part.tokenizer.json").find("\"a b\""), std::string::npos);
    EXPECT_NE(refusal("bad_id_gap.tokenizer.json").find("pre-tokenizer"), std::string::npos);
    EXPECT_NE(refusal("missing.json").find("No such file"), std::string::npos);
}

TEST(Tokenizer, RefusesWhatItDoesNotKnowByName) {
    const Json good = caseFile("split_regex.tokenizer.json");
    const auto refuse = [&](const Json& patch, const std::string& word) {
        SCOPED_TRACE(patch.dump());
        Json file = good;
        file.merge_patch(patch);
        expectRefusal(file, word);
    };
    const auto step = [](Json description) {
        return Json{
            {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", {std::move(description)}}}}};
    };
    const auto regex = [&](const char* pattern) {
        return step(
            {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}});
    };
    EXPECT_FALSE(errorOf(good));
    refuse({{"model", {{"type", "WordPiece"}}}}, "WordPiece");
    refuse({{"model", {{"type", nullptr}}}}, "type");
    refuse({{"model", {{"dropout", 0.1}}}}, "dropout");
    refuse({{"model", {{"byte_fallback", true}}}}, "byte_fallback");
    refuse({{"model", {{"end_of_word_suffix", "</w>"}}}}, "end_of_word_suffix");
    refuse({{"model", {{"unk_token", "[UNK]"}}}}, "unk_token");
    refuse({{"model", {{"merges", {"a"}}}}}, "\"a\"");
    refuse({{"model", {{"merges", {{"a", "b", "c"}}}}}}, "merge");
    refuse({{"model", {{"vocab", {{"a", -1}}}}}}, "\"a\"");
    refuse({{"model", {{"vocab", {{"a", 4294967296}}}}}}, "\"a\"");
    refuse({{"model", {{"vocab", {{"new", 1}}}}}}, "the id 1");
    refuse({{"normalizer", {{"type", "NFC"}}}}, "NFC");
    refuse({{"pre_tokenizer", nullptr}}, "pre-tokenizer");
    refuse(step({{"type", "Metaspace"}}), "Metaspace");
    refuse(step({{"type", "Digits"}}), "ByteLevel");
    refuse(step({{"type", "Split"}, {"behavior", "Isolated"}}), "pattern");
    refuse(step({{"type", "Split"}, {"pattern", {{"String", "a"}}}, {"behavior", "Odd"}}), "Odd");
    refuse(regex("\\w+"), "\\w");
    refuse(regex("\\p{Han}"), "Han");
    refuse(regex("^a"), "^a");
    refuse(regex("[a&&b]"), "&&");
    refuse(regex("[[:alpha:]]"), "[:");
    refuse(regex("(?<n>a)"), "(?<n");
    refuse(regex("a{1,2}+"), "}+");
    refuse(regex("a*"), "empty");
    refuse(regex("(a"), "(a");
    refuse({{"decoder", {{"type", "WordPiece"}}}}, "WordPiece");
    refuse({{"decoder", nullptr}}, "decoder");
    refuse({{"added_tokens", {{{"id", 1}, {"content", "<x>"}}}}}, "<x>");
    refuse({{"added_tokens", {{{"id", 400}, {"content", "<x>"}, {"lstrip", true}}}}}, "lstrip");
    refuse({{"added_tokens", {{{"id", 400}, {"content", ""}}}}}, "content");
}

TEST(TextStream, ShowsWholeCharactersAsSoonAsTheyAre) {
    int seen = 0;
    const Json cases = expected();
    for (const auto& item : cases.at("tokenizers").items()) {
        const Tokenizer tokenizer(kCases / item.value().at("file").get<std::string>());
        for (const auto& [name, entry] : item.value().at("streaming").items()) {
            SCOPED_TRACE(item.key() + " " + name);
            TextStream stream;
            std::string shown;
            std::vector<std::size_t> after;
            for (const int id : entry.at("ids").get<Ids>()) {
                shown += stream.push(tokenizer.bytesOf(id));
                after.push_back(shown.size());
            }
            if (entry.contains("max_bytes_shown_after_each_id")) {
                EXPECT_EQ(after, entry.at("max_bytes_shown_after_each_id"));
            }
            shown += stream.finish();
            if (entry.contains("final")) {
                EXPECT_EQ(shown, entry.at("final").get<std::string>());
            }
            ++seen;
        }
    }
    EXPECT_GE(seen, 14);
}

TEST(TextStream, GoesOnAfterDamage) {
    TextStream stream;
    EXPECT_EQ(stream.push("\x80\xFE"), "\uFFFD\uFFFD");
    EXPECT_EQ(stream.push("\xF0\x9F"), "");
    EXPECT_EQ(stream.push("a"), "\uFFFDa");
    EXPECT_EQ(stream.push("\xE2\x82"), "");
    EXPECT_EQ(stream.push("\xAC"), "\u20AC");
    EXPECT_EQ(stream.finish(), "");
    EXPECT_EQ(stream.push("\xE2\x82"), "");
    EXPECT_EQ(stream.finish(), "\uFFFD");
    EXPECT_EQ(stream.finish(), "");
}

} // namespace
} // namespace maskscope
