// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_stream.h"

#include "core/base/utf8.h"

#include <utility>

namespace maskscope {

std::string TextStream::push(std::string_view bytes) {
    const std::string waiting = std::exchange(m_held, {}) + std::string(bytes);
    std::string_view rest = waiting;
    std::string result;
    while (!rest.empty()) {
        const Utf8Step step = firstCharacter(rest);
        if (step.state == Utf8State::Cut) {
            m_held = rest;
            break;
        }
        result += step.state == Utf8State::Complete ? rest.substr(0, step.bytes)
                                                    : kReplacementCharacter;
        rest.remove_prefix(step.bytes);
    }
    return result;
}

std::string TextStream::finish() {
    return std::exchange(m_held, {}).empty() ? std::string() : std::string(kReplacementCharacter);
}

std::string validUtf8(std::string_view bytes) {
    TextStream stream;
    std::string text = stream.push(bytes);
    return text + stream.finish();
}

} // namespace maskscope
