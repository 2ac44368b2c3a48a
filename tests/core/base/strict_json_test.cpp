// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/strict_json.h"

#include "core/base/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace maskscope {
namespace {

std::string sentenceFor(std::string_view text, std::size_t maxDepth = 64) {
    try {
        return "read " + parseStrictJson(text, "The file", maxDepth).dump();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Model);
        return failure.error().sentence;
    }
}

TEST(StrictJson, ReadsWhatIsWellFormed) {
    EXPECT_EQ(sentenceFor(" [1, {\"a\": {\"a\": 1}}, {\"a\": 2}] "),
        "read [1,{\"a\":{\"a\":1}},{\"a\":2}]");
    EXPECT_EQ(sentenceFor("[[[]]]", 3), "read [[[]]]");
}

TEST(StrictJson, RefusesTheRestWithTheReason) {
    EXPECT_EQ(
        sentenceFor("{\"a\": 1, \"b\": [{\"c\": 1, \"c\": 2}]}"), "The file gives \"c\" twice.");
    EXPECT_EQ(sentenceFor("[[[[]]]]", 3), "The file nests more than 3 levels deep.");
    EXPECT_NE(sentenceFor(std::string(1'000'000, '[')).find("levels deep"), std::string::npos);
    EXPECT_EQ(sentenceFor(std::string_view("{}\0", 3)),
        "The file is not JSON: it holds a NUL byte at offset 2.");
    for (const char* text : {"", "{", "{}x", "{} {}", "nul", "\"\xFF\"", "'a'", "[1,]", "// c\n1"})
        EXPECT_NE(sentenceFor(text).find("is not JSON: it breaks off"), std::string::npos) << text;
    EXPECT_EQ(sentenceFor("[1e999]"), "The file holds a number that is too large.");
}

} // namespace
} // namespace maskscope
