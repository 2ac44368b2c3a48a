// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"
#include "core/model/model_size.h"
#include "core/model/peak_sum.h"

#include <ATen/core/Tensor.h>

#include <stop_token>

namespace maskscope {

/// Antialiased bicubic resize (as Pillow's) of [height, width, 3] bytes to `size`, normalised:
/// [1, 3, H, W] float32. Throws Cancelled.
at::Tensor modelPixels(const Image& image, const ModelSize& size, const std::stop_token& stop = {});

/// The memory of modelPixels() and of its result in another precision, which alone stays.
void addPixelsPeak(PeakSum& sum, const ModelSize& size);

/// (rgb - 127) / 128. rgb: uint8 or float, any shape; gives float32.
at::Tensor normalisedPixels(const at::Tensor& rgb);

} // namespace maskscope
