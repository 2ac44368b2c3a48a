// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace maskscope {

/// How ranks share attention: `ring` groups of `ulysses` ranks each, rank = group * ulysses + place
/// in the group. Within a group each rank has all of the group's tokens for its part of the heads
/// (Ulysses); keys and values go round between the groups (ring). With ulysses = 1 it is a ring,
/// with ring = 1 Ulysses alone.
struct RankGrid {
    int ulysses = 1;
    int ring = 2;

    int ranks() const { return ulysses * ring; }
};

} // namespace maskscope
