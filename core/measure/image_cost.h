// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/spread.h"
#include "core/image/image.h"
#include "core/measure/repeats.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace maskscope {

/// What a picture costs before the model sees it.
struct ImageCost {
    int width = 0; ///< pixels, upright
    int height = 0;
    std::int64_t seenPixels = 0; ///< of the size the model sees
    Spread decodeMs; ///< from the file to upright RGB
    Spread prepareMs; ///< resized and normalised
};

/// `decode` reads the picture; `pixels` is about how many the model sees. Throws what it throws,
/// and Cancelled.
ImageCost measureImage(const std::function<Image()>& decode, std::int64_t pixels, int threads,
    const Repeats& repeats, const std::stop_token& stop);

} // namespace maskscope
