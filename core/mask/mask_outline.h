// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <vector>

namespace maskscope {

/// A corner between pixels: pixel (x, y) spans (x, y) to (x + 1, y + 1).
struct Corner {
    int x = 0;
    int y = 0;
    friend bool operator==(const Corner&, const Corner&) = default;
};

/// A closed line along pixel edges; the last corner joins the first. Corners are where it turns.
using OutlineRing = std::vector<Corner>;

/// The exact border of a mask: filled by the even-odd rule, the rings give the mask back pixel for
/// pixel. With y downwards, parts run clockwise and holes counter-clockwise; pixels that touch only
/// at a corner are separate parts. Ordered by each ring's first pixel in reading order.
std::vector<OutlineRing> outlineOf(const Mask& mask);

} // namespace maskscope
