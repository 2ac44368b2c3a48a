// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace maskscope {

/// The size at which the model sees an image; both sides are multiples of 32 and at least 32.
struct ModelSize {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t patches() const { return width / 16 * (height / 16); } ///< P
    friend bool operator==(const ModelSize&, const ModelSize&) = default;
};

/// The largest size whose sides keep the image's aspect as near as multiples of 32 allow, with
/// width * height <= mostPixels (>= 1,024) unless that would need a side below 32. Small images are
/// enlarged to it: the model wants objects of the size it was trained on.
ModelSize modelSize(std::int64_t width, std::int64_t height, std::int64_t mostPixels);

} // namespace maskscope
