// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// Run lengths of a mask as COCO (Lin et al. 2014) has them: down the columns, one column after the
/// other; the first run counts zeros and is 0 if the first pixel is set. One that was encoded or
/// parsed here is valid: the runs cover width * height pixels exactly.
struct Rle {
    int width = 0; ///< pixels
    int height = 0; ///< pixels
    std::vector<std::uint32_t> counts;

    std::int64_t area() const; ///< number of ones
    std::array<int, 4> bbox() const; ///< [x, y, width, height] of the ones; zeros when empty
    friend bool operator==(const Rle&, const Rle&) = default;
};

Rle encodeRle(const Mask& mask);

/// A mask with bits, area and bbox; its other fields are left as they begin.
Mask decodeRle(const Rle& rle);

/// The counts as text, as pycocotools writes them: differences to the run before the last, 5 bits a
/// character from '0' on, lowest first.
std::string compressedCounts(const Rle& rle);

/// {"size": [height, width], "counts": "<compressed>"}
nlohmann::json rleToJson(const Rle& rle);

/// From a list of counts or from compressed text. Throws Failure(Input) that begins with `what` and
/// says what is wrong, before memory for a mask is taken: a size below 1 or beyond what images may
/// have, characters that are none, runs that do not add up to width * height.
Rle rleFromCounts(std::int64_t width, std::int64_t height, const std::vector<std::int64_t>& counts,
    std::string_view what);
Rle rleFromText(
    std::int64_t width, std::int64_t height, std::string_view counts, std::string_view what);
Rle rleFromJson(const nlohmann::json& json, std::string_view what);

} // namespace maskscope
