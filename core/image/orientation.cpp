// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/orientation.h"

#include <algorithm>
#include <cstdint>
#include <exiv2/exiv2.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace maskscope {
namespace {

// Where the upright pixel (x, y) lies in the stored picture.
struct Turn {
    bool swapAxes; ///< upright x runs down the stored picture
    bool mirrorX; ///< stored x runs backwards
    bool mirrorY; ///< stored y runs backwards
};

// The tag names the upright sides at which stored row 0 and stored column 0 lie.
Turn turnOf(int orientation) {
    switch (orientation) {
    case 2: // top, right
        return {false, true, false};
    case 3: // bottom, right
        return {false, true, true};
    case 4: // bottom, left
        return {false, false, true};
    case 5: // left, top
        return {true, false, false};
    case 6: // right, top
        return {true, false, true};
    case 7: // right, bottom
        return {true, true, true};
    case 8: // left, bottom
        return {true, true, false};
    default:
        return {false, false, false};
    }
}

} // namespace

int orientationOf(std::span<const std::byte> exif) {
    constexpr std::string_view kPrefix("Exif\0\0", 6);
    const auto isPrefix = [](std::byte byte, char c) { return static_cast<char>(byte) == c; };
    if (exif.size() > kPrefix.size()
        && std::equal(kPrefix.begin(), kPrefix.end(), exif.begin(),
            [&](char c, std::byte byte) { return isPrefix(byte, c); }))
        exif = exif.subspan(kPrefix.size());
    static const bool muted = (Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute), true);
    static_cast<void>(muted);
    try {
        Exiv2::ExifData data;
        Exiv2::ExifParser::decode(data, reinterpret_cast<const Exiv2::byte*>(exif.data()),
            static_cast<std::uint32_t>(std::min<std::size_t>(exif.size(), 1u << 24)));
        const auto tag = data.findKey(Exiv2::ExifKey("Exif.Image.Orientation"));
        const long value = tag == data.end() || tag->count() != 1 ? 1 : long(tag->toFloat());
        return value >= 1 && value <= 8 ? int(value) : 1;
    } catch (const std::exception&) {
        return 1;
    }
}

Image upright(Image image) {
    const Turn turn = turnOf(image.source.orientation);
    if (!turn.swapAxes && !turn.mirrorX && !turn.mirrorY)
        return image;
    const std::size_t storedWidth = std::size_t(image.width);
    const std::size_t storedHeight = std::size_t(image.height);
    if (turn.swapAxes)
        std::swap(image.width, image.height);
    std::vector<std::uint8_t> rgb(image.rgb.size());
    auto out = rgb.begin();
    for (std::size_t y = 0; y < std::size_t(image.height); ++y) {
        for (std::size_t x = 0; x < std::size_t(image.width); ++x) {
            const std::size_t column = turn.swapAxes ? y : x;
            const std::size_t row = turn.swapAxes ? x : y;
            const std::size_t storedX = turn.mirrorX ? storedWidth - 1 - column : column;
            const std::size_t storedY = turn.mirrorY ? storedHeight - 1 - row : row;
            out = std::copy_n(&image.rgb[(storedY * storedWidth + storedX) * 3], 3, out);
        }
    }
    image.rgb = std::move(rgb);
    return image;
}

} // namespace maskscope
