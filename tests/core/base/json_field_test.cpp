// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_field.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

template <class Read>
std::string refusal(const char* text, const Read& read) {
    const auto json = nlohmann::json::parse(text);
    try {
        (void)read(JsonField(json));
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.error().sentence;
    }
    return "";
}

std::optional<int> numberOf(std::string_view name) {
    return name == "one" ? std::optional(1) : std::nullopt;
}

} // namespace

TEST(JsonField, ReadsWhatIsThere) {
    const auto json = nlohmann::json::parse(
        R"({"a":{"b":[7,"x",null,true,1.5]},"most":18446744073709551615,"name":"one"})");
    const JsonField root(json);
    EXPECT_TRUE(root.has("a"));
    EXPECT_FALSE(root.has("b"));
    const auto list = root.at("a").at("b").elements(5);
    EXPECT_EQ(list[0].whole<int>(), 7);
    EXPECT_EQ(list[0].number(), 7.0);
    EXPECT_EQ(list[1].text(), "x");
    EXPECT_EQ(list[2].wholeOrNull<int>(), std::nullopt);
    EXPECT_TRUE(list[3].flag());
    EXPECT_EQ(list[4].number(), 1.5);
    EXPECT_EQ(root.at("most").whole<std::uint64_t>(), 18446744073709551615U);
    EXPECT_EQ(root.at("name").named(&numberOf), 1);
}

TEST(JsonField, NamesWhatIsMissingOrOfAnotherKind) {
    const char* text = R"({"a":{"list":[1,"x"],"large":3000000000,"minus":-1,"half":0.5}})";
    const auto of
        = [](auto read) { return [read](const JsonField& root) { return read(root.at("a")); }; };
    EXPECT_EQ(refusal(text, of([](const JsonField& a) { return a.at("b"); })), "it has no \"a.b\"");
    EXPECT_EQ(
        refusal(text, of([](const JsonField& a) { return a.text(); })), "its \"a\" is no text");
    EXPECT_EQ(refusal(text,
                  of([](const JsonField& a) { return a.at("list").elements()[1].whole<int>(); })),
        "its \"a.list.1\" is no whole number from -2147483648 to 2147483647");
    EXPECT_EQ(refusal(text, of([](const JsonField& a) { return a.at("large").whole<int>(); })),
        "its \"a.large\" is no whole number from -2147483648 to 2147483647");
    EXPECT_NE(
        refusal(text, of([](const JsonField& a) { return a.at("minus").whole<std::uint64_t>(); })),
        "");
    EXPECT_NE(refusal(text, of([](const JsonField& a) { return a.at("half").whole<int>(); })), "");
    EXPECT_EQ(refusal(text, of([](const JsonField& a) { return a.at("list").elements(3); })),
        "its \"a.list\" is no list of 3");
    EXPECT_EQ(refusal(text, of([](const JsonField& a) { return a.at("list").has("x"); })),
        "its \"a.list\" is no object");
    EXPECT_EQ(refusal("{\"n\":\"two\"}",
                  [](const JsonField& root) { return root.at("n").named(&numberOf); }),
        "its \"n\" is \"two\", which is not known");
    EXPECT_EQ(refusal("7", [](const JsonField& root) { return root.at("n"); }), "it is no object");
}

} // namespace maskscope
