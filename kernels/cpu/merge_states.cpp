// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernels.h"
#include "kernels/softmax_state.h"

#include <algorithm>

namespace maskscope::kernels::cpu {

namespace {

/// mergedElement() over one row of o, with the shares compared once, so that the loop vectorises.
void mergeRow(
    float* o1 /*[D]*/, const float* o2 /*[D]*/, const MergedShares& shares, std::int64_t dim) {
    if (shares.first != 0 && shares.second != 0)
        for (std::int64_t d = 0; d < dim; ++d)
            o1[d] = shares.first * o1[d] + shares.second * o2[d];
    else if (shares.second != 0)
        std::copy_n(o2, dim, o1); // its share is 1
    else if (shares.first == 0)
        std::fill_n(o1, dim, 0.0F);
}

} // namespace

void mergeStates(float* o1, float* lse1, const float* o2, const float* lse2, std::int64_t tokens,
    std::int64_t heads, std::int64_t dim) {
    for (std::int64_t t = 0; t < tokens; ++t)
        for (std::int64_t h = 0; h < heads; ++h) {
            const std::int64_t row = h * tokens + t;
            const std::int64_t begin = (t * heads + h) * dim;
            const MergedShares shares = mergedShares(lse1[row], lse2[row]);
            mergeRow(o1 + begin, o2 + begin, shares, dim);
            lse1[row] = shares.lse;
        }
}

} // namespace maskscope::kernels::cpu
