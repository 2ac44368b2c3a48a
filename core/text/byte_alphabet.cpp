// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_alphabet.h"

#include "core/base/utf8.h"

#include <array>

namespace maskscope {
namespace {

constexpr char32_t kBytes = 256;
constexpr char32_t kUnprintable = 68; // bytes that are not their own character
constexpr std::uint16_t kNone = 0xFFFF;

constexpr bool isOwnCharacter(char32_t byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC)
        || (byte >= 0xAE && byte <= 0xFF);
}

struct Alphabet {
    std::array<std::string, kBytes> characterOf;
    std::array<std::uint16_t, kBytes + kUnprintable> byteOf{};

    Alphabet() {
        byteOf.fill(kNone);
        char32_t next = kBytes;
        for (char32_t byte = 0; byte < kBytes; ++byte) {
            const char32_t character = isOwnCharacter(byte) ? byte : next++;
            byteOf[character] = static_cast<std::uint16_t>(byte);
            std::string& spelled = characterOf[byte];
            if (character >= 0x80) {
                spelled += static_cast<char>(0xC0 | (character >> 6));
                spelled += static_cast<char>(0x80 | (character & 0x3F));
            } else {
                spelled += static_cast<char>(character);
            }
        }
    }
};

const Alphabet& alphabet() {
    static const Alphabet instance;
    return instance;
}

} // namespace

const std::string& spelledByte(unsigned char byte) {
    return alphabet().characterOf[byte];
}

std::string spelledBytes(std::string_view bytes) {
    std::string entry;
    for (const char byte : bytes)
        entry += spelledByte(static_cast<unsigned char>(byte));
    return entry;
}

std::optional<std::string> bytesSpelled(std::string_view entry) {
    const auto& byteOf = alphabet().byteOf;
    std::string bytes;
    for (std::size_t at = 0; at < entry.size();) {
        const Utf8Step step = firstCharacter(entry.substr(at));
        if (step.state != Utf8State::Complete || step.character >= byteOf.size()
            || byteOf[step.character] == kNone)
            return std::nullopt;
        bytes += static_cast<char>(byteOf[step.character]);
        at += step.bytes;
    }
    return bytes;
}

} // namespace maskscope
