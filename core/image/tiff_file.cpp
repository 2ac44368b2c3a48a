// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/tiff_file.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace maskscope {
namespace {

TiffBytes& self(thandle_t handle) {
    return *static_cast<TiffBytes*>(handle);
}

tmsize_t onRead(thandle_t handle, void* target, tmsize_t count) {
    TiffBytes& file = self(handle);
    const std::uint64_t rest
        = file.bytes.size() - std::min<std::uint64_t>(file.position, file.bytes.size());
    const std::uint64_t given = std::min<std::uint64_t>(rest, std::uint64_t(count));
    if (given > 0)
        std::memcpy(target, file.bytes.data() + file.position, given);
    file.position += given;
    return tmsize_t(given);
}

tmsize_t onWrite(thandle_t, void*, tmsize_t) {
    return 0;
}

toff_t onSeek(thandle_t handle, toff_t offset, int origin) {
    TiffBytes& file = self(handle);
    const std::uint64_t base = origin == SEEK_CUR ? file.position
        : origin == SEEK_END                      ? file.bytes.size()
                                                  : 0;
    file.position = base + offset;
    return file.position;
}

int onClose(thandle_t) {
    return 0;
}

toff_t onSize(thandle_t handle) {
    return self(handle).bytes.size();
}

int onError(TIFF*, void* user, const char*, const char* format, std::va_list arguments) {
    TiffBytes& file = self(user);
    std::array<char, 256> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    if (file.error.empty())
        file.error = text.data();
    return 1;
}

int onWarning(TIFF*, void*, const char*, const char*, std::va_list) {
    return 1;
}

} // namespace

TiffHandle openTiff(TiffBytes& file) {
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(
        TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), &onError, &file);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), &onWarning, &file);
    // "m": no memory mapping, the bytes are in memory anyway.
    return {TIFFClientOpenExt("", "rm", &file, &onRead, &onWrite, &onSeek, &onClose, &onSize,
                nullptr, nullptr, options.get()),
        &TIFFClose};
}

} // namespace maskscope
