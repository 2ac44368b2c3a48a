// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace maskscope {

/// Ids of the control tokens that a maskscope_lens tokenizer must have as special tokens.
struct ControlIds {
    int pad = 0; ///< <|pad|>
    int image = 0; ///< <|image|>, the place of one image feature
    int user = 0; ///< <|user|>, before the request
    int assistant = 0; ///< <|assistant|>, before the answer
    int end = 0; ///< <|end|>, after the answer
    int mask = 0; ///< <|mask|>, its state becomes a mask
};

/// Throws Failure(Model) that names a token that is missing or not special.
ControlIds controlIdsOf(const Tokenizer& tokenizer);

/// What the language model reads before it answers.
struct Prompt {
    std::vector<int> ids; ///< [T]
    std::vector<std::int64_t> imageSlots; ///< positions in ids, in order of the image features
};

/// The layout of maskscope_lens: <|image|> once per image feature, <|user|>, the text,
/// <|assistant|>.
class PromptTemplate {
public:
    /// `mostPositions` is the model's context in tokens. Throws as controlIdsOf() does.
    PromptTemplate(Tokenizer tokenizer, std::int64_t mostPositions);

    /// The text is data: names of control tokens in it stay letters. It is not trimmed or changed.
    /// Throws Failure(Usage) when it is blank, not valid UTF-8, or leaves no room for an answer.
    Prompt prompt(std::int64_t imageFeatures, std::string_view text) const;

    const Tokenizer& tokenizer() const { return m_tokenizer; }
    const ControlIds& controls() const { return m_controls; }

private:
    Tokenizer m_tokenizer;
    ControlIds m_controls;
    std::int64_t m_mostPositions;
};

/// Before features take the place of a prompt's image slots: throws Failure(Internal) with both
/// numbers when they differ.
void checkImageSlots(const Prompt& prompt, std::int64_t imageFeatures);

} // namespace maskscope
