// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <QRect>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope {

/// The pixels of a mask as runs along its rows: all that painting needs, in a thousandth of the
/// memory that a byte per pixel takes. Making them is work for a background thread.
struct MaskRuns {
    QRect rect; ///< of the mask's ones, in image pixels; empty when there are none
    /// Where each row of `rect` goes in and out of the mask, in turns: x of the first pixel inside,
    /// of the first one outside, and so on.
    std::vector<std::int32_t> edges;
    std::vector<std::size_t> rows; ///< row i of `rect` has edges[rows[i]] to edges[rows[i + 1]]

    /// The edges of an image row; none beside `rect`.
    std::span<const std::int32_t> row(int y) const;
    bool contains(int x, int y) const;
};

MaskRuns runsOf(const Mask& mask);

} // namespace maskscope
