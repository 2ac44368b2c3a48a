// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace maskscope {

/// Where the median of such values would lie in 95 of 100 repetitions (bootstrap); of at least one.
std::pair<double, double> intervalOfMedian(const std::vector<double>& values);

/// Medians that differ by less are the same.
inline constexpr double kTie = 0.02;

/// Whether what was recommended is what wins.
struct RingVerdict {
    std::size_t recommended = 0; ///< the least that was predicted
    std::size_t quickest = 0; ///< the least median that was measured
    double ratio = 1; ///< of the medians: the recommended one to the quickest
    /// The recommended one is not the quickest, but the difference is less than kTie, or less than
    /// what rounds differ by: 1 lies in the 95 % interval of the ratio of the two, round by round.
    bool tie = false;

    bool right() const { return recommended == quickest || tie; }
};

/// `predicted` milliseconds of each strategy, and those `measured` of each in each round.
RingVerdict verdictOf(
    const std::vector<double>& predicted, const std::vector<std::vector<double>>& measured);

} // namespace maskscope
