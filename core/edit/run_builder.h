// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_runs.h"

#include <tuple>
#include <vector>

namespace maskscope {

/// Pixels `from` to `to` - 1 of row y.
struct Run {
    int y = 0;
    int from = 0;
    int to = 0;

    /// Reading order.
    bool operator<(const Run& other) const {
        return std::tie(y, from) < std::tie(other.y, other.from);
    }
};

/// Makes MaskRuns of runs that come in reading order: by row, then by their first pixel. Runs that
/// overlap or touch become one, empty ones none.
class RunBuilder {
public:
    void add(const Run& run);
    /// The mask so far; the builder is then used up.
    MaskRuns take();

private:
    MaskRuns m_runs;
    int m_right = 0; ///< behind the last pixel of all rows
};

/// The pixels that any of `runs` holds, which come in any order.
MaskRuns maskOfRuns(std::vector<Run> runs);

/// The runs of a mask in reading order.
std::vector<Run> listOf(const MaskRuns& mask);

} // namespace maskscope
