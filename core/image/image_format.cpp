// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_format.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace maskscope {
namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view bytes;
    std::string_view meaning;
};

constexpr std::string_view kReadable = "JPEG, PNG, WebP, GIF, TIFF and BMP can be read";

// What people hand in by mistake, most often under the name of a picture.
constexpr std::array kOthers{
    Signature{"%PDF-"sv, "a PDF document"},
    Signature{"8BPS"sv, "a Photoshop document"},
    Signature{"\xFF\x0A"sv, "a JPEG XL picture"},
    Signature{"\0\0\0\x0CJXL \r\n\x87\n"sv, "a JPEG XL picture"},
    Signature{"\0\0\0\x0CjP  "sv, "a JPEG 2000 picture"},
    Signature{"\xFF\x4F\xFF\x51"sv, "a JPEG 2000 picture"},
    Signature{"\0\0\1\0"sv, "an icon file"},
    Signature{"\x76\x2F\x31\x01"sv, "an OpenEXR picture"},
    Signature{"gimp xcf"sv, "a GIMP picture"},
    Signature{"PK\3\4"sv, "a ZIP archive"},
    Signature{"\x1F\x8B"sv, "a gzip archive"},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive"},
    Signature{"Rar!"sv, "a RAR archive"},
    Signature{"GGUF"sv, "a GGUF model"},
    Signature{"\x7F"
              "ELF"sv,
        "a program"},
    Signature{"MZ"sv, "a program"},
    Signature{"version https://git-lfs"sv,
        "a Git LFS pointer to a picture (\"git lfs pull\" fetches the picture itself)"},
};

std::string_view view(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view part(std::string_view text, std::size_t begin, std::size_t count) {
    return text.substr(std::min(begin, text.size()), count);
}

bool isTiff(std::string_view start) {
    return start.starts_with("II*\0"sv) || start.starts_with("MM\0*"sv)
        || start.starts_with("II+\0"sv) || start.starts_with("MM\0+"sv);
}

// "BM" alone is too little; the size of the second header tells the versions apart.
bool isBmp(std::string_view start) {
    constexpr std::array kHeaderSizes{12, 40, 52, 56, 64, 108, 124};
    return start.size() >= 18 && start.starts_with("BM") && start.substr(15, 3) == "\0\0\0"sv
        && std::find(kHeaderSizes.begin(), kHeaderSizes.end(), int(start[14]))
        != kHeaderSizes.end();
}

std::optional<ImageFormat> formatOf(std::string_view start) {
    if (start.starts_with("\xFF\xD8\xFF"))
        return ImageFormat::Jpeg;
    if (start.starts_with("\x89PNG\r\n\x1A\n"))
        return ImageFormat::Png;
    if (start.starts_with("RIFF") && part(start, 8, 4) == "WEBP")
        return ImageFormat::Webp;
    if (start.starts_with("GIF87a") || start.starts_with("GIF89a"))
        return ImageFormat::Gif;
    if (isTiff(start))
        return ImageFormat::Tiff;
    if (isBmp(start))
        return ImageFormat::Bmp;
    return {};
}

// Containers of films and of pictures coded like films name their brand after "ftyp".
std::string_view filmOf(std::string_view start) {
    const std::string_view brand = part(start, 8, 4);
    if (brand == "avif" || brand == "avis")
        return "an AVIF picture";
    if (brand == "mif1" || brand == "msf1" || brand.starts_with("hei") || brand.starts_with("hev"))
        return "a HEIC picture";
    return "a film";
}

bool containsFolded(std::string_view text, std::string_view lower) {
    return std::search(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    }) != text.end();
}

bool isText(std::string_view start, std::size_t limit) {
    const std::size_t invalid = firstInvalidByte(start);
    const bool cutAtEnd = start.size() == limit && invalid + 4 > start.size();
    if (invalid != std::string_view::npos && !cutAtEnd)
        return false;
    return std::none_of(start.begin(), start.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t' && byte != '\f';
    });
}

std::string_view textKindOf(std::string_view start) {
    if (containsFolded(start, "<!doctype html") || containsFolded(start, "<html"))
        return "an HTML page";
    if (containsFolded(start, "<svg"))
        return "an SVG drawing";
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && start[first] == '{')
        return "a JSON file";
    if (start.starts_with("P1") || start.starts_with("P2") || start.starts_with("P3"))
        return "a PNM picture";
    return "a text file";
}

std::string_view meaningOf(std::string_view start) {
    for (const Signature& other : kOthers)
        if (start.starts_with(other.bytes))
            return other.meaning;
    if (part(start, 4, 4) == "ftyp")
        return filmOf(start);
    if (isText(start, kRecognitionBytes))
        return textKindOf(start);
    if (start.size() > 2 && start[0] == 'P' && start[1] >= '4' && start[1] <= '7')
        return "a PNM picture";
    if (start.find_first_not_of('\0') == std::string_view::npos)
        return "filled with zeros (was it downloaded completely?)";
    return {};
}

} // namespace

std::string_view nameOf(ImageFormat format) {
    switch (format) {
    case ImageFormat::Jpeg:
        return "JPEG";
    case ImageFormat::Png:
        return "PNG";
    case ImageFormat::Webp:
        return "WebP";
    case ImageFormat::Gif:
        return "GIF";
    case ImageFormat::Tiff:
        return "TIFF";
    case ImageFormat::Bmp:
        break;
    }
    return "BMP";
}

ImageFormat recogniseImage(std::span<const std::byte> start, std::string_view name) {
    const std::string_view text = view(start.first(std::min(start.size(), kRecognitionBytes)));
    if (const auto format = formatOf(text))
        return *format;
    const std::string who(name);
    if (text.empty())
        throw Failure(ErrorKind::Input, who + " is empty: copy or download it again.");
    const std::string_view meaning = meaningOf(text);
    throw Failure(ErrorKind::Input,
        who + " is " + (meaning.empty() ? "not a picture" : std::string(meaning)) + "; "
            + std::string(kReadable) + ".");
}

void checkImageSize(std::int64_t width, std::int64_t height, std::string_view name) {
    const std::string who = std::string(name) + " says that it is " + std::to_string(width) + " x "
        + std::to_string(height) + " pixels";
    if (width < 1 || height < 1)
        throw Failure(ErrorKind::Input, who + ": there is nothing to see in it.");
    if (width > kMostImagePixels / height)
        throw Failure(ErrorKind::Input,
            who + "; at most " + std::to_string(kMostImagePixels / 1'000'000)
                + " megapixels are read. Make it smaller first.");
}

void refuseDamaged(std::string_view name, ImageFormat format, std::string_view reason) {
    throw Failure(ErrorKind::Input,
        std::string(name) + " is a damaged " + std::string(nameOf(format)) + ": "
            + printable(reason) + ". Copy or download it again.");
}

void refuseKind(std::string_view name, ImageFormat format, std::string_view reason) {
    throw Failure(ErrorKind::Input,
        std::string(name) + " is a " + std::string(nameOf(format))
            + " of a kind that is not read: " + printable(reason) + ". Save it as PNG or JPEG.");
}

std::string onlyFirstIsRead(int count, std::string_view what) {
    return "The file has " + std::to_string(count) + " " + std::string(what)
        + "; only the first is read.";
}

} // namespace maskscope
