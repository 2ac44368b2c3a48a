// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernels.h"
#include "kernels/overlay.h"

namespace maskscope::kernels::cpu {

void overlayMask(const std::uint8_t* bits, std::int32_t height, std::int32_t width,
    const OverlayStyle& style, const PixelRows& pixels) {
    for (std::int32_t y = 0; y < height; ++y) {
        const std::uint8_t* row = bits + static_cast<std::int64_t>(y) * width;
        std::uint8_t* pixel = pixels.data + y * pixels.rowBytes;
        for (std::int32_t x = 0; x < width; ++x, pixel += pixels.channels)
            if (row[x])
                drawPixel(pixel, style, onOutline(bits, height, width, y, x, style.outline));
    }
}

} // namespace maskscope::kernels::cpu
