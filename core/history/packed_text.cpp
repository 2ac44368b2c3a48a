// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/packed_text.h"

#include "core/base/bytes.h"
#include "core/base/error.h"

#include <zlib.h>

namespace maskscope {

namespace {

// Curves compress nearly as well as at the default level, in half the time.
constexpr int kLevel = 3;

} // namespace

std::vector<std::byte> packed(std::string_view text) {
    if (static_cast<std::int64_t>(text.size()) > kMostTextBytes)
        throw Failure(ErrorKind::Input,
            "The run takes " + bytesText(static_cast<std::int64_t>(text.size()))
                + " as text, and the history keeps at most " + bytesText(kMostTextBytes)
                + ": record it without the values of its logits.");
    uLongf size = compressBound(text.size());
    std::vector<std::byte> bytes(size);
    compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
        reinterpret_cast<const Bytef*>(text.data()), text.size(), kLevel);
    bytes.resize(size);
    return bytes;
}

std::string unpacked(std::span<const std::byte> bytes, std::int64_t size, std::string_view what) {
    const auto damaged = [&] {
        return Failure(ErrorKind::Input,
            std::string(what) + " is damaged: what was compressed is not there as a whole.");
    };
    if (size < 0 || size > kMostTextBytes)
        throw damaged();
    std::string text(static_cast<std::size_t>(size), '\0');
    uLongf got = text.size();
    const int code = uncompress(reinterpret_cast<Bytef*>(text.data()), &got,
        reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    if (code != Z_OK || got != text.size())
        throw damaged();
    return text;
}

} // namespace maskscope
