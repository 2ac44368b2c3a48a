// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/gpu/runtime.h"
#include "kernels/kernels.h"

#include <cstdint>

namespace maskscope::kernels {

/// Whether a pixel of the mask lies within `outline` pixels, along its row or column, of one
/// outside it. The picture's edge is no border: the mask goes on beyond it.
MASKSCOPE_DEVICE inline bool onOutline(const std::uint8_t* bits /*[H, W]*/, std::int32_t height,
    std::int32_t width, std::int32_t y, std::int32_t x, std::int32_t outline) {
    const std::uint8_t* bit = bits + static_cast<std::int64_t>(y) * width + x;
    for (std::int32_t k = 1; k <= outline; ++k) {
        const std::int64_t rows = static_cast<std::int64_t>(k) * width;
        if ((x >= k && !bit[-k]) || (x + k < width && !bit[k]) || (y >= k && !bit[-rows])
            || (y + k < height && !bit[rows]))
            return true;
    }
    return false;
}

/// `alpha` 0..255 of the colour over what is there, rounded.
MASKSCOPE_DEVICE inline std::uint8_t blended(
    std::uint8_t under, std::uint8_t colour, std::int32_t alpha) {
    return static_cast<std::uint8_t>((under * (255 - alpha) + colour * alpha + 127) / 255);
}

/// Draws one pixel of the mask.
MASKSCOPE_DEVICE inline void drawPixel(
    std::uint8_t* pixel /*[3 or 4]*/, const OverlayStyle& style, bool outline) {
    const std::int32_t alpha = outline ? 255 : style.opacity;
    for (int channel = 0; channel < 3; ++channel)
        pixel[channel] = blended(pixel[channel], style.colour[channel], alpha);
}

} // namespace maskscope::kernels
