// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/resize.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/_upsample_bicubic2d_aa.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/from_blob.h>

#include <array>
#include <cstdint>

namespace maskscope {

Image resized(const Image& image, int width, int height, ResizeFilter filter) {
    if (width == image.width && height == image.height)
        return image;
    // from_blob wants a pointer to non-const; nothing is written through it. On bytes of which the
    // channels lie together ATen computes as Pillow does: the width first, rounded to bytes.
    auto* data = const_cast<std::uint8_t*>(image.rgb.data());
    const at::Tensor from = at::from_blob(data, {1, image.height, image.width, 3}, at::kByte)
                                .permute({0, 3, 1, 2}); // [1, 3, H, W], channels last
    const std::array<std::int64_t, 2> size{height, width};
    const at::Tensor to = filter == ResizeFilter::Bilinear
        ? at::_upsample_bilinear2d_aa(from, size, false)
        : at::_upsample_bicubic2d_aa(from, size, false);
    const at::Tensor rows = to.permute({0, 2, 3, 1}).contiguous(); // [1, height, width, 3]
    const auto* begin = rows.const_data_ptr<std::uint8_t>();
    return {width, height, {begin, begin + rows.numel()}, image.source};
}

} // namespace maskscope
