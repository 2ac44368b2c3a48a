// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pre_tokenizer.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace maskscope {
namespace {

using Json = nlohmann::json;

// GPT-2's, which ByteLevel means by "use_regex".
constexpr const char* kByteLevelPattern
    = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

[[noreturn]] void refuse(const std::string& reason) {
    throw Failure(ErrorKind::Model, reason);
}

std::string typeOf(const Json& description) {
    const auto type = description.is_object() ? description.find("type") : description.end();
    if (!description.is_object() || type == description.end() || !type->is_string())
        refuse("a pre-tokenizer has no type");
    return type->get<std::string>();
}

bool flag(const Json& description, const char* name, bool otherwise) {
    const auto value = description.find(name);
    if (value == description.end())
        return otherwise;
    if (!value->is_boolean())
        refuse("the pre-tokenizer's option " + std::string(name) + " is not true or false");
    return value->get<bool>();
}

SplitBehaviour behaviourFrom(const Json& description) {
    constexpr std::array<std::pair<std::string_view, SplitBehaviour>, 5> kBehaviours{{
        {"Removed", SplitBehaviour::Removed},
        {"Isolated", SplitBehaviour::Isolated},
        {"MergedWithPrevious", SplitBehaviour::MergedWithPrevious},
        {"MergedWithNext", SplitBehaviour::MergedWithNext},
        {"Contiguous", SplitBehaviour::Contiguous},
    }};
    const auto value = description.find("behavior");
    if (value == description.end() || !value->is_string())
        refuse("the pre-tokenizer Split has no behavior");
    for (const auto& [name, behaviour] : kBehaviours)
        if (value->get_ref<const std::string&>() == name)
            return behaviour;
    refuse("the pre-tokenizer Split has the unknown behavior \""
        + printable(value->get_ref<const std::string&>()) + "\"");
}

SplitPattern patternFrom(const Json& description) {
    const auto pattern = description.find("pattern");
    if (pattern != description.end() && pattern->is_object()) {
        const auto regex = pattern->find("Regex");
        if (regex != pattern->end() && regex->is_string())
            return {regex->get<std::string>(), SplitPattern::Kind::Regex};
        const auto literal = pattern->find("String");
        if (literal != pattern->end() && literal->is_string())
            return {literal->get<std::string>(), SplitPattern::Kind::Literal};
    }
    refuse("the pre-tokenizer Split has no pattern that is a Regex or a String");
}

std::string_view joined(std::string_view first, std::string_view second) {
    return {first.data(), first.size() + second.size()};
}

/// Pieces of one text, given its stretches in order.
std::vector<std::string_view> applied(
    SplitBehaviour behaviour, const std::vector<Stretch>& stretches) {
    std::vector<std::string_view> pieces;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        const Stretch& now = stretches[i];
        const bool previousIsMatch = i > 0 && stretches[i - 1].isMatch;
        bool joins = false;
        switch (behaviour) {
        case SplitBehaviour::Removed:
            if (now.isMatch)
                continue;
            break;
        case SplitBehaviour::Isolated:
            break;
        case SplitBehaviour::MergedWithPrevious:
            joins = now.isMatch && i > 0 && !previousIsMatch;
            break;
        case SplitBehaviour::MergedWithNext:
            joins = i > 0 && previousIsMatch && !now.isMatch;
            break;
        case SplitBehaviour::Contiguous:
            joins = i > 0 && previousIsMatch == now.isMatch;
            break;
        }
        if (joins)
            pieces.back() = joined(pieces.back(), now.text);
        else
            pieces.push_back(now.text);
    }
    return pieces;
}

} // namespace

PreTokenizer::PreTokenizer(const Json& description) {
    add(description);
    if (!m_prefixSpace)
        refuse("it has no ByteLevel pre-tokenizer; only byte-level vocabularies are supported");
}

void PreTokenizer::add(const Json& description) {
    const std::string type = typeOf(description);
    if (m_prefixSpace)
        refuse("the pre-tokenizer " + printable(type) + " follows ByteLevel, which must be last");
    if (type == "Sequence") {
        const auto steps = description.find("pretokenizers");
        if (steps == description.end() || !steps->is_array())
            refuse("the pre-tokenizer Sequence has no list of pretokenizers");
        for (const Json& step : *steps)
            add(step);
    } else if (type == "Split") {
        addSplit(description);
    } else if (type == "Digits") {
        addDigits(description);
    } else if (type == "ByteLevel") {
        addByteLevel(description);
    } else {
        refuse("its pre-tokenizer " + printable(type) + " is not supported");
    }
}

void PreTokenizer::addSplit(const Json& description) {
    m_steps.push_back(
        {patternFrom(description), behaviourFrom(description), flag(description, "invert", false)});
}

void PreTokenizer::addDigits(const Json& description) {
    m_steps.push_back({SplitPattern("\\p{N}", SplitPattern::Kind::Regex),
        flag(description, "individual_digits", false) ? SplitBehaviour::Isolated
                                                      : SplitBehaviour::Contiguous});
}

void PreTokenizer::addByteLevel(const Json& description) {
    m_prefixSpace
        = flag(description, "add_prefix_space", true) ? PrefixSpace::Yes : PrefixSpace::No;
    if (flag(description, "use_regex", true))
        m_byteLevelPattern.emplace(kByteLevelPattern, SplitPattern::Kind::Regex);
}

std::vector<std::string> PreTokenizer::split(std::string_view text) const {
    std::vector<std::string_view> pieces;
    if (!text.empty())
        pieces.push_back(text);
    for (const Step& step : m_steps) {
        std::vector<std::string_view> finer;
        for (const std::string_view piece : pieces) {
            std::vector<Stretch> stretches = step.pattern.stretches(piece);
            for (Stretch& stretch : stretches)
                stretch.isMatch = stretch.isMatch != step.inverted;
            std::ranges::copy(applied(step.behaviour, stretches), std::back_inserter(finer));
        }
        pieces = std::move(finer);
    }

    std::vector<std::string> result;
    for (const std::string_view piece : pieces) {
        std::string bytes(piece);
        if (m_prefixSpace == PrefixSpace::Yes && !piece.starts_with(' '))
            bytes.insert(0, 1, ' ');
        if (!m_byteLevelPattern)
            result.push_back(std::move(bytes));
        else
            for (const Stretch& stretch : m_byteLevelPattern->stretches(bytes))
                result.emplace_back(stretch.text);
    }
    return result;
}

} // namespace maskscope
