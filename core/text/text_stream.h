// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace maskscope {

/// Bytes in, token by token; whole UTF-8 characters out. A character is held back until its last
/// byte has come. Bytes that can never become one come out as U+FFFD, and what follows them as
/// usual.
class TextStream {
public:
    /// The characters these bytes complete, valid UTF-8, possibly empty.
    std::string push(std::string_view bytes);

    /// At the end: U+FFFD for a character that stayed unfinished, else nothing.
    std::string finish();

private:
    std::string m_held; ///< beginning of a character, at most 3 bytes
};

/// Bytes as valid UTF-8, damaged places replaced.
std::string validUtf8(std::string_view bytes);

} // namespace maskscope
