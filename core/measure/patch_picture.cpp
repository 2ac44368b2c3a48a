// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/patch_picture.h"

#include "core/base/error.h"

#include <cmath>
#include <string>

namespace maskscope {

namespace {

constexpr std::int64_t kPatch = 16; ///< pixels
constexpr std::int64_t kMostAspect = 8;

} // namespace

std::shared_ptr<const Image> pictureOf(std::int64_t patches) {
    for (auto rows = static_cast<std::int64_t>(std::sqrt(double(patches))); rows >= 2; --rows) {
        const std::int64_t columns = patches / rows;
        if (rows % 2 != 0 || columns % 2 != 0 || rows * columns != patches || rows == columns
            || columns > kMostAspect * rows)
            continue;
        auto image = std::make_shared<Image>();
        image->width = static_cast<int>(columns * kPatch);
        image->height = static_cast<int>(rows * kPatch);
        image->rgb.resize(static_cast<std::size_t>(image->width) * image->height * 3);
        for (std::size_t i = 0; i < image->rgb.size(); ++i)
            image->rgb[i] = static_cast<std::uint8_t>(i * 37 % 251);
        return image;
    }
    throw Failure(ErrorKind::Usage,
        "No picture has " + std::to_string(patches)
            + " patches: give a product of two even numbers that differ, such as 1024 or 3952.");
}

} // namespace maskscope
