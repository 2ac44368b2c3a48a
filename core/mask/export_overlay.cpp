// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/png_writer.h"
#include "core/mask/export_files.h"
#include "core/mask/mask_colour.h"
#include "kernels/kernels.h"

#include <algorithm>

namespace maskscope {
namespace {

constexpr std::uint8_t kOpacity = 115; // of 255: shape and texture below stay visible

// About as wide as on a screen that shows the whole picture.
int outlineWidth(const Image& image) {
    return std::max(1, std::min(image.width, image.height) / 300);
}

std::vector<std::byte> overlayPng(const MaskedPicture& picture) {
    const Image& image = *picture.image;
    std::vector<std::uint8_t> rgb = image.rgb;
    const kernels::PixelRows rows{rgb.data(), std::int64_t(image.width) * 3, 3};
    forEachMask(picture, [&](const Mask& mask, int n) {
        const auto [red, green, blue] = maskColour(n - 1);
        const kernels::OverlayStyle style{{red, green, blue}, kOpacity, outlineWidth(image)};
        kernels::cpu::overlayMask(mask.bits.data(), image.height, image.width, style, rows);
    });
    return encodeRgbPng(image.width, image.height, rgb);
}

} // namespace

std::vector<ExportFile> overlayFiles(const MaskedPicture& picture) {
    return {{picture.stem + "_overlay.png", [&picture] { return overlayPng(picture); }}};
}

} // namespace maskscope
