// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/answer_phrase.h"

#include <utility>

namespace maskscope {

std::string AnswerPhrase::take() {
    constexpr std::string_view kAround = " \t\r\n,.;:";
    const std::string text = std::exchange(m_text, {});
    const std::size_t first = text.find_first_not_of(kAround);
    if (first != std::string::npos)
        m_last = text.substr(first, text.find_last_not_of(kAround) - first + 1);
    return m_last;
}

} // namespace maskscope
