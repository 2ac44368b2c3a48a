// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace maskscope {

enum class Alpha { Straight, Premultiplied };

/// A decoded picture before it becomes an Image: samples with the file's own precision.
struct Raster {
    int width = 0;
    int height = 0;
    int channels = 3; ///< 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha
    Alpha alpha = Alpha::Straight;
    /// [height, width, channels]. 16 bits: 65535 is white. float: any range, alpha 0..1.
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<float>> samples;
    ImageSource source; ///< its orientation is still to be undone
};

/// What the decoders have in common: whole file in, not upright yet. `name` is how sentences call
/// the file. Throw Failure(Input) with one sentence; take memory only after checkImageSize().
using ImageDecoder = Raster(std::span<const std::byte> bytes, std::string_view name);
ImageDecoder decodeJpeg;
ImageDecoder decodePng;
ImageDecoder decodeWebp;
ImageDecoder decodeGif;
ImageDecoder decodeTiff;
ImageDecoder decodeBmp;

/// 8-bit RGB, transparency over white. 16 bits become value / 257. Where that would be nearly black
/// (no more than the lowest 12 bits are used) and for floating point outside 0..1 the range found
/// is stretched to 0..255, which a note says. Not upright yet.
Image flatten(Raster raster);

} // namespace maskscope
