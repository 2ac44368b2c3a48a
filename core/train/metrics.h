// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace maskscope {

/// A mean and the interval that holds 95 % of its bootstrap distribution.
struct MeanInterval {
    double mean = 0;
    double low = 0;
    double high = 0;
    std::size_t count = 0; ///< values, not groups
};

/// Values of one scene depend on each other, so whole scenes are drawn with replacement
/// (`draws` times, by `seed`). Scenes without values are left out; no values at all gives zeros.
MeanInterval bootstrapMean(
    std::span<const std::vector<double>> valuesByScene, int draws = 2000, std::uint64_t seed = 1);

} // namespace maskscope
