// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope {

/// What the file held before it became an Image.
struct ImageSource {
    int depth = 8; ///< bits per channel in the file
    int channels = 3; ///< channels in the file, alpha included
    int orientation = 1; ///< EXIF orientation that was undone (1 = none)
    int frames = 1; ///< frames or pages; only the first is read
    std::vector<std::string> notes; ///< what the person should know, one sentence each
};

/// An upright 8-bit RGB picture: the only form in which the rest of the program sees one.
struct Image {
    int width = 0; ///< pixels
    int height = 0; ///< pixels
    std::vector<std::uint8_t> rgb; ///< [height, width, 3], red first
    ImageSource source;
};

} // namespace maskscope
