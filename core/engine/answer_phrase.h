// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace maskscope {

/// The words of an answer that lead to a mask: "the cat : <|mask|> , the dog : <|mask|>" gives
/// "the cat" and "the dog", and each of "the cats : <|mask|><|mask|>" gives "the cats".
class AnswerPhrase {
public:
    void add(std::string_view text) { m_text += text; }

    /// The phrase since the last mask, without the punctuation around it, or that mask's if nothing
    /// was said since; the next one begins.
    std::string take();

private:
    std::string m_text; ///< since the last mask
    std::string m_last; ///< the last mask's phrase
};

} // namespace maskscope
