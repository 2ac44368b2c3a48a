// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace maskscope {

// Byte-level vocabularies spell every byte as one printable character, so that a space is "Ġ" and a
// line feed "Ċ": the alphabet of GPT-2 (Radford et al. 2019, encoder.py, bytes_to_unicode).

/// The character, as UTF-8, that stands for a byte.
const std::string& spelledByte(unsigned char byte);

/// A vocabulary entry for these bytes.
std::string spelledBytes(std::string_view bytes);

/// The bytes that a vocabulary entry stands for; nothing when a character is not in the alphabet.
std::optional<std::string> bytesSpelled(std::string_view entry);

} // namespace maskscope
