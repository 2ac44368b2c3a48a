// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace maskscope {

/// How ranks share attention: `ring` groups of `ulysses` ranks each. Within a group each rank has
/// all of the group's tokens for its part of the heads (Ulysses); keys and values go round between
/// the groups (ring). With ulysses = 1 it is a ring, with ring = 1 Ulysses alone.
struct RankGrid {
    int ulysses = 1;
    int ring = 2;

    int ranks() const { return ulysses * ring; }
    int groupOf(int rank) const { return rank / ulysses; }
    int placeOf(int rank) const { return rank % ulysses; } ///< in its group
    int rankAt(int group, int place) const { return group * ulysses + place; }
};

/// The ranks of a ring as one process sees them.
struct RingRanks {
    RankGrid grid;
    std::optional<int> here; ///< the only one that is in this process; absent: all of them are

    int firstHere() const { return here.value_or(0); }
    int countHere() const { return here ? 1 : grid.ranks(); }
};

/// The grid of so many ranks. Throws Failure(Usage) where they do not divide into such groups.
RankGrid checkedRankGrid(int ranks, int ulysses);

/// Throws Failure(Usage) where a group's ranks cannot have equal parts of the heads.
void checkHeads(const RankGrid& grid, std::int64_t heads);

} // namespace maskscope
