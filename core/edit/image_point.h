// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace maskscope {

/// A place in an image: pixel (x, y) is the square from (x, y) to (x + 1, y + 1).
struct ImagePoint {
    double x = 0;
    double y = 0;
};

} // namespace maskscope
