// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

namespace maskscope {
namespace {

struct Lead {
    std::size_t bytes = 0; ///< 0: cannot begin a character
    unsigned char lowest = 0x80; ///< of the second byte
    unsigned char highest = 0xBF;
};

Lead leadOf(unsigned char byte) {
    if (byte < 0x80)
        return {1};
    if (byte < 0xC2 || byte > 0xF4)
        return {0};
    if (byte < 0xE0)
        return {2};
    if (byte < 0xF0)
        return {3, static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80),
            static_cast<unsigned char>(byte == 0xED ? 0x9F : 0xBF)};
    return {4, static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80),
        static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)};
}

bool breaksTheLine(char32_t character) {
    return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x2028
        || character == 0x2029;
}

} // namespace

Utf8Step firstCharacter(std::string_view text) {
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const Lead lead = leadOf(byteAt(0));
    if (lead.bytes == 0)
        return {};
    if (lead.bytes == 1)
        return {Utf8State::Complete, 1, byteAt(0)};

    char32_t character = byteAt(0) & (0x7Fu >> lead.bytes);
    for (std::size_t i = 1; i < lead.bytes; ++i) {
        if (i == text.size())
            return {Utf8State::Cut, i};
        const unsigned char lowest = i == 1 ? lead.lowest : 0x80;
        const unsigned char highest = i == 1 ? lead.highest : 0xBF;
        if (byteAt(i) < lowest || byteAt(i) > highest)
            return {Utf8State::Invalid, i};
        character = (character << 6) | (byteAt(i) & 0x3Fu);
    }
    return {Utf8State::Complete, lead.bytes, character};
}

std::size_t firstInvalidByte(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = firstCharacter(text.substr(at));
        if (step.state != Utf8State::Complete)
            return at;
        at += step.bytes;
    }
    return std::string_view::npos;
}

std::string printable(std::string_view text, std::size_t maxBytes) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = firstCharacter(text.substr(at));
        std::string_view piece = text.substr(at, step.bytes);
        if (step.state != Utf8State::Complete)
            piece = kReplacementCharacter;
        else if (breaksTheLine(step.character))
            piece = " ";
        if (result.size() + piece.size() > maxBytes)
            return result + "…";
        result += piece;
        at += step.bytes;
    }
    return result;
}

} // namespace maskscope
