// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_reader.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/utf8.h"
#include "core/image/image_format.h"
#include "core/image/orientation.h"
#include "core/image/raster.h"

#include <new>
#include <string>

namespace maskscope {
namespace {

// Above what kMostImagePixels with four 16-bit channels take without compression.
constexpr std::int64_t kMostFileBytes = 2'000'000'000;

ImageDecoder& decoderOf(ImageFormat format) {
    switch (format) {
    case ImageFormat::Jpeg:
        return decodeJpeg;
    case ImageFormat::Png:
        return decodePng;
    case ImageFormat::Webp:
        return decodeWebp;
    case ImageFormat::Gif:
        return decodeGif;
    case ImageFormat::Tiff:
        return decodeTiff;
    case ImageFormat::Bmp:
        break;
    }
    return decodeBmp;
}

} // namespace

Image readImage(const std::filesystem::path& path) {
    const std::string name = printable(path.string());
    // A film of many gigabytes is not read to learn that it is none.
    recogniseImage(readFileStart(path, kRecognitionBytes), name);
    return decodeImage(readFile(path, kMostFileBytes), name);
}

Image decodeImage(std::span<const std::byte> bytes, std::string_view name) {
    ImageDecoder& decode = decoderOf(recogniseImage(bytes, name));
    try {
        return upright(flatten(decode(bytes, name)));
    } catch (const std::bad_alloc&) {
        throw Failure(ErrorKind::Memory,
            "There is not enough memory to read " + std::string(name)
                + ": close other programs or make the picture smaller.");
    }
}

} // namespace maskscope
