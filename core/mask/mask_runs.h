// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope {

/// The pixels of a mask as runs along its rows: all that painting and editing need, in a thousandth
/// of the memory that a byte per pixel takes. The same pixels are always the same runs.
struct MaskRuns {
    std::array<int, 4> bbox{}; ///< as Mask::bbox; zeros when empty
    /// Where each row of `bbox` goes in and out of the mask, in turns: x of the first pixel inside,
    /// of the first one outside, and so on. They increase.
    std::vector<std::int32_t> edges;
    /// Row i of `bbox` has edges[rows[i]] to edges[rows[i + 1]]; empty when the mask is.
    std::vector<std::size_t> rows;

    bool isEmpty() const { return edges.empty(); }
    /// The edges of an image row; none beside `bbox`.
    std::span<const std::int32_t> row(int y) const;
    bool contains(int x, int y) const;
    std::int64_t area() const; ///< number of pixels

    bool operator==(const MaskRuns&) const = default;
};

/// Work for a background thread.
MaskRuns runsOf(const Mask& mask);

/// With bits, area and bbox; its other fields are left as they begin. The runs lie within
/// width x height.
Mask maskOf(const MaskRuns& runs, int width, int height);

} // namespace maskscope
