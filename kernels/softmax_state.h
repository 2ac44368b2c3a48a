// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/gpu/runtime.h"

#include <cmath>
#include <limits>

namespace maskscope::kernels {

// The state of a query's softmax attention over a set of keys is (o, lse):
//   lse = log sum_j exp(score_j)                  natural logarithm, float32
//   o   = sum_j exp(score_j - lse) value_j        [D]
// Two disjoint sets merge into the state of their union, in any order and grouping:
//   lse = log(exp(lse1) + exp(lse2)),  o = exp(lse1 - lse) o1 + exp(lse2 - lse) o2
// The state of the empty set, or of one with every key masked, is lse = -inf, and its o is 0. This
// is the algebra of FlashAttention's blocks, FlashDecoding's splits and ring attention's hops.

inline constexpr float kEmptyLse = -std::numeric_limits<float>::infinity();

/// The shares of two states in their union.
struct MergedShares {
    float first;
    float second;
    float lse; ///< of the union
};

MASKSCOPE_DEVICE inline MergedShares mergedShares(float lse1, float lse2) {
    const float larger = lse1 > lse2 ? lse1 : lse2;
    if (larger == kEmptyLse)
        return {0, 0, larger};
    // Differences to the larger one never overflow; the comparison keeps inf - inf from being NaN.
    const float first = lse1 == larger ? 1.0F : std::exp(lse1 - larger);
    const float second = lse2 == larger ? 1.0F : std::exp(lse2 - larger);
    const float sum = first + second;
    return {first / sum, second / sum, larger + std::log(sum)};
}

/// One element of the union's o. The o of a state without a share may hold anything, even NaN.
MASKSCOPE_DEVICE inline float mergedElement(const MergedShares& shares, float o1, float o2) {
    return (shares.first != 0 ? shares.first * o1 : 0)
        + (shares.second != 0 ? shares.second * o2 : 0);
}

} // namespace maskscope::kernels
