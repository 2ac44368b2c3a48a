// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <cstdint>
#include <span>

namespace maskscope {

/// Sets area and bbox from the bits.
void measure(Mask& mask);

/// Intersection over union of two masks of the same size (non-zero = inside); 1 if both are empty.
double iouOf(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

} // namespace maskscope
