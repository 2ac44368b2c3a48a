// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <cstddef>
#include <span>

namespace maskscope {

/// EXIF orientation 1..8 in a block of EXIF data as containers hold it (a TIFF header, with or
/// without "Exif\0\0" before it). 1 when there is none, when it is out of range or when the block
/// is damaged.
int orientationOf(std::span<const std::byte> exif);

/// Undoes source.orientation (EXIF 2.32, tag 274) by turning or mirroring the pixels; the field
/// keeps its value and says what was done.
Image upright(Image image);

} // namespace maskscope
