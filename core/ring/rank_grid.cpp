// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/rank_grid.h"

#include "core/base/error.h"

#include <string>

namespace maskscope {

RankGrid checkedRankGrid(int ranks, int ulysses) {
    if (ulysses < 1 || ranks % ulysses != 0)
        throw Failure(ErrorKind::Usage,
            "Ulysses of degree " + std::to_string(ulysses) + " does not divide "
                + std::to_string(ranks)
                + " ranks into equal groups: give a degree that divides the number of ranks.");
    return {ulysses, ranks / ulysses};
}

void checkHeads(const RankGrid& grid, std::int64_t heads) {
    if (heads % grid.ulysses != 0)
        throw Failure(ErrorKind::Usage,
            "Ulysses of degree " + std::to_string(grid.ulysses) + " cannot share "
                + std::to_string(heads)
                + " heads equally: give a degree that divides the number of heads, or a ring.");
}

} // namespace maskscope
