// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/gpu/runtime.h"

#include <cstdint>

namespace maskscope::kernels {

/// The two samples between which an output position lies, along one axis.
struct Tap {
    std::int32_t first;
    std::int32_t second; ///< first + 1, or first at the border
    float weight; ///< of the second, 0..1
};

/// As PyTorch's bilinear interpolation with align_corners = false: pixel centres at + 0.5, the
/// border repeated. `scale` = input size / output size.
MASKSCOPE_DEVICE inline Tap tapAt(std::int32_t position, float scale, std::int32_t inputSize) {
    const float centre = scale * (static_cast<float>(position) + 0.5F) - 0.5F;
    const float source = centre > 0 ? centre : 0;
    std::int32_t first = static_cast<std::int32_t>(source);
    first = first < inputSize - 1 ? first : inputSize - 1;
    const float weight = source - static_cast<float>(first);
    return {first, first < inputSize - 1 ? first + 1 : first, weight < 1 ? weight : 1};
}

/// Between two values of the same sign never of the other sign.
MASKSCOPE_DEVICE inline float mixed(float first, float second, float weight) {
    return first * (1 - weight) + second * weight;
}

} // namespace maskscope::kernels
