// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace maskscope {

enum class ImageFormat { Jpeg, Png, Webp, Gif, Tiff, Bmp };

std::string_view nameOf(ImageFormat format); ///< "JPEG", "PNG", …

/// Endings of files that can be read, in lower case, for dialogs and drops. Reading itself goes by
/// content, never by name.
inline constexpr std::array<std::string_view, 9> kImageExtensions{
    "jpg", "jpeg", "png", "webp", "gif", "tif", "tiff", "bmp", "apng"};

/// Largest picture that is decoded: 200 megapixels, 600 MB as RGB. The largest cameras and phones
/// stay below.
inline constexpr std::int64_t kMostImagePixels = 200'000'000;

/// How many bytes of a file recogniseImage() wants to see.
inline constexpr std::size_t kRecognitionBytes = 4096;

/// The format of a file by its first bytes. Throws Failure(Input): "<name> is an HTML page, …" for
/// everything else, saying what it is as far as that shows.
ImageFormat recogniseImage(std::span<const std::byte> start, std::string_view name);

/// To be asked with the size from the header, before memory is taken. Throws Failure(Input) for a
/// side below 1 and for more than kMostImagePixels.
void checkImageSize(std::int64_t width, std::int64_t height, std::string_view name);

/// Throws Failure(Input): "<name> is a damaged <format>: <reason>. Copy or download it again."
[[noreturn]] void refuseDamaged(std::string_view name, ImageFormat format, std::string_view reason);

/// Throws Failure(Input): "<name> is a <format> of a kind that is not read: <reason>. Save it …"
[[noreturn]] void refuseKind(std::string_view name, ImageFormat format, std::string_view reason);

/// The note for files with several pictures; `what` is "frames" or "pages".
std::string onlyFirstIsRead(int count, std::string_view what);

} // namespace maskscope
