// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/size_remark.h"

#include "core/base/number_text.h"

namespace maskscope {

namespace {

constexpr std::int64_t kPatchPixels = 256; ///< a patch has 16 on a side
constexpr std::int64_t kFar = 4; ///< times as many pixels: objects of twice the side

std::string megapixels(std::int64_t pixels) {
    return numberText("%.2f MP", double(pixels) / 1e6);
}

} // namespace

std::string sizeRemark(std::int64_t patches, std::int64_t trainingPixels) {
    const std::int64_t seen = patches * kPatchPixels, most = kFar * trainingPixels;
    if (trainingPixels <= 0 || seen <= most)
        return {};
    return "The model was trained on pictures of about " + megapixels(trainingPixels)
        + ": beyond about " + megapixels(most) + " its answers and masks may be wrong, and it saw "
        + megapixels(seen) + " here. Memory and time are true all the same.";
}

} // namespace maskscope
