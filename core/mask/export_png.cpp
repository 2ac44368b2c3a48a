// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/png_writer.h"
#include "core/mask/export_files.h"
#include "core/mask/mask_colour.h"

#include <algorithm>
#include <cstdint>

namespace maskscope {
namespace {

std::vector<std::byte> objectPng(const Mask& mask) {
    std::vector<std::uint8_t> pixels(mask.bits.size());
    std::transform(mask.bits.begin(), mask.bits.end(), pixels.begin(),
        [](std::uint8_t bit) { return static_cast<std::uint8_t>(bit != 0 ? 255 : 0); });
    return encodeGrayPng(mask.width, mask.height, pixels);
}

template <class Pixel>
std::vector<Pixel> indexPixels(const MaskedPicture& picture) {
    std::vector<Pixel> pixels(
        std::size_t(picture.image->width) * std::size_t(picture.image->height));
    forEachMask(picture, [&](const Mask& mask, int n) {
        for (std::size_t i = 0; i < pixels.size(); ++i)
            if (mask.bits[i] != 0)
                pixels[i] = static_cast<Pixel>(n);
    });
    return pixels;
}

std::vector<std::byte> indexPng(const MaskedPicture& picture) {
    const int width = picture.image->width;
    const int height = picture.image->height;
    const int count = int(picture.masks.size());
    if (count > 255)
        return encodeGray16Png(width, height, indexPixels<std::uint16_t>(picture));
    std::vector<Rgb> palette{{0, 0, 0}};
    for (int i = 0; i < count; ++i)
        palette.push_back(maskColour(i));
    return encodeIndexedPng(width, height, indexPixels<std::uint8_t>(picture), palette);
}

} // namespace

std::vector<ExportFile> pngFiles(const MaskedPicture& picture) {
    std::vector<ExportFile> files;
    forEachMask(picture, [&](const Mask& mask, int n) {
        files.push_back(
            {picture.stem + "_" + std::to_string(n) + ".png", [&mask] { return objectPng(mask); }});
    });
    files.push_back({picture.stem + "_index.png", [&picture] { return indexPng(picture); }});
    return files;
}

} // namespace maskscope
