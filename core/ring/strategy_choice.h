// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/link_fit.h"
#include "core/ring/rank_grid.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope {

/// One attention layer that ranks share.
struct LayerWork {
    std::int64_t patches = 0;
    std::int64_t heads = 0;
    std::int64_t headDim = 0;
    std::int64_t elementBytes = 4; ///< as it travels
};

/// What each rank of a grid computes in the layer, while all others do the same.
struct GridWork {
    RankGrid grid;
    int groups = 1; ///< of heads: while one is computed, the next travels
    double ms = 0; ///< of the whole layer, copies and merges included, waiting not
};

/// How a layer goes on a grid where nothing but the link is ever waited for.
struct StrategyForecast {
    RankGrid grid;
    double ms = 0;
    double exposedMs = 0; ///< of these, with nothing to do but wait for the link
    double sentBytes = 0; ///< by each rank
};

/// Reckons it from what is known of both, measuring nothing: what a link can hide and what it
/// cannot, on devices that compute beside each other. Ranks that share processors also wait for
/// each other: how long their layers take must be tried. All ranks do the same at the same
/// time; a rank's transfers follow each other on its link, each as soon as it is begun, and each
/// message takes the latency.
/// - Ulysses: queries, keys and values of a group of heads to the ranks that have other patches,
/// and
///   the results back, behind the computing of the group between. The first way in and the last way
///   back have nothing to hide behind.
/// - Ring: keys and values from rank to rank, each time behind the attention to those that are
///   there.
/// - Both: such a ring within each group of heads.
StrategyForecast forecastOf(const LayerWork& layer, const GridWork& work, const LinkFigures& link);

/// "single device", "ring 2", "Ulysses 4", "Ulysses 2 x ring 2".
std::string nameOf(const RankGrid& grid);

/// All ways for so many ranks to share so many heads (a multiple of the Ulysses degree), after the
/// single device: most ring first.
std::vector<RankGrid> gridsOf(int ranks, std::int64_t heads);

} // namespace maskscope
