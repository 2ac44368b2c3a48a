// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

namespace maskscope {

enum class ResizeFilter { Bilinear, Bicubic };

/// The picture at another size (>= 1 x 1), antialiased: the filter grows with the reduction, as
/// Pillow's resize does and models are trained with. Within 1 of Pillow's bytes for reductions (2
/// where bicubic enlarges noise). The source's description is kept.
Image resized(const Image& image, int width, int height, ResizeFilter filter);

} // namespace maskscope
