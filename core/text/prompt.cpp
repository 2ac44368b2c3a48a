// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/prompt.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace maskscope {
namespace {

constexpr std::int64_t kTemplateTokens = 2; // <|user|>, <|assistant|>
constexpr std::int64_t kLeastAnswer = 1;

int controlId(const Tokenizer& tokenizer, const char* name) {
    const auto id = tokenizer.idOf(name);
    if (!id)
        throw Failure(
            ErrorKind::Model, "The model's tokenizer has no token " + std::string(name) + ".");
    if (!tokenizer.isSpecial(*id))
        throw Failure(ErrorKind::Model,
            "The model's tokenizer does not mark the token " + std::string(name)
                + " as special, so that typed text could forge it.");
    return *id;
}

/// Unicode's White_Space.
bool isSpace(char32_t character) {
    return (character >= 0x09 && character <= 0x0D) || character == 0x20 || character == 0x85
        || character == 0xA0 || character == 0x1680 || (character >= 0x2000 && character <= 0x200A)
        || character == 0x2028 || character == 0x2029 || character == 0x202F || character == 0x205F
        || character == 0x3000;
}

bool isBlank(std::string_view text) {
    while (!text.empty()) {
        const Utf8Step step = firstCharacter(text);
        if (!isSpace(step.character))
            return false;
        text.remove_prefix(step.bytes);
    }
    return true;
}

} // namespace

ControlIds controlIdsOf(const Tokenizer& tokenizer) {
    const auto id = [&](const char* name) { return controlId(tokenizer, name); };
    return {id("<|pad|>"), id("<|image|>"), id("<|user|>"), id("<|assistant|>"), id("<|end|>"),
        id("<|mask|>")};
}

PromptTemplate::PromptTemplate(Tokenizer tokenizer, std::int64_t mostPositions)
    : m_tokenizer(std::move(tokenizer))
    , m_controls(controlIdsOf(m_tokenizer))
    , m_mostPositions(mostPositions) { }

Prompt PromptTemplate::prompt(std::int64_t imageFeatures, std::string_view text) const {
    if (isBlank(text))
        throw Failure(
            ErrorKind::Usage, "The request is empty; say what to look for, such as \"the cat\".");
    const std::vector<int> words = m_tokenizer.encode(text, SpecialTokens::AsText);
    const auto wordCount = static_cast<std::int64_t>(words.size());
    const std::int64_t room = m_mostPositions - imageFeatures - kTemplateTokens - kLeastAnswer;
    if (wordCount > room)
        throw Failure(ErrorKind::Usage,
            "The request is " + std::to_string(wordCount) + " tokens long, but beside "
                + std::to_string(imageFeatures) + " image tokens the model has room for "
                + std::to_string(std::max<std::int64_t>(room, 0))
                + (room > 0 ? "; shorten it." : "; use fewer images."));

    Prompt prompt;
    prompt.imageSlots.resize(static_cast<std::size_t>(imageFeatures));
    std::iota(prompt.imageSlots.begin(), prompt.imageSlots.end(), 0);
    prompt.ids.assign(prompt.imageSlots.size(), m_controls.image);
    prompt.ids.push_back(m_controls.user);
    prompt.ids.insert(prompt.ids.end(), words.begin(), words.end());
    prompt.ids.push_back(m_controls.assistant);
    return prompt;
}

void checkImageSlots(const Prompt& prompt, std::int64_t imageFeatures) {
    const auto slots = static_cast<std::int64_t>(prompt.imageSlots.size());
    if (slots != imageFeatures)
        throw Failure(ErrorKind::Internal,
            "The prompt has " + std::to_string(slots) + " image slots, but the images give "
                + std::to_string(imageFeatures) + " features.");
}

} // namespace maskscope
