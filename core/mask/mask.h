// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace maskscope {

/// One object's pixels in the coordinates of the original upright image.
struct Mask {
    int width = 0; ///< pixels, the image's own
    int height = 0; ///< pixels, the image's own
    std::vector<std::uint8_t> bits; ///< [height, width], 0 or 1
    std::string label; ///< the words it stands for; empty for clicks and boxes. Data, never markup.
    float score = 0; ///< the model's own estimate of its IoU, 0..1
    std::int64_t area = 0; ///< number of ones
    std::array<int, 4> bbox{}; ///< [x, y, width, height] of the ones; zeros when empty
    int imageIndex = 0; ///< which input image
    int index = 0; ///< order of appearance
    int tokenIndex = -1; ///< position of its <|mask|> in the answer's tokens; -1 without words
};

} // namespace maskscope
