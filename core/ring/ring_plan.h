// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/rank_grid.h"

#include <algorithm>
#include <cstdint>

namespace maskscope {

/// The tokens begin .. begin + count - 1.
struct RingShare {
    std::int64_t begin = 0;
    std::int64_t count = 0;
};

/// Which of the tokens belong to which rank and group, and whose keys and values a group holds at
/// each hop: its own at first, then those of the group before it, and so on until each has come by.
class RingPlan {
public:
    /// At least one rank; there may be fewer tokens than ranks, or none.
    RingPlan(std::int64_t tokens, const RankGrid& grid)
        : m_tokens(tokens)
        , m_grid(grid) { }
    /// Each rank is a group.
    RingPlan(std::int64_t tokens, int ranks)
        : RingPlan(tokens, RankGrid{1, ranks}) { }

    const RankGrid& grid() const { return m_grid; }
    int ranks() const { return m_grid.ranks(); }
    std::int64_t tokens() const { return m_tokens; }

    /// Equal shares; the first ranks have one more where it does not come out even.
    RingShare share(int rank) const {
        const std::int64_t each = m_tokens / ranks(), more = m_tokens % ranks();
        return {rank * each + std::min<std::int64_t>(rank, more), each + (rank < more ? 1 : 0)};
    }
    std::int64_t largestShare() const { return share(0).count; }

    /// The shares of a group's ranks together.
    RingShare groupShare(int group) const {
        const RingShare first = share(m_grid.rankAt(group, 0));
        const RingShare last = share(m_grid.rankAt(group, m_grid.ulysses - 1));
        return {first.begin, last.begin + last.count - first.begin};
    }
    std::int64_t largestGroupShare() const { return groupShare(0).count; }
    /// Where there are fewer tokens than ranks, the last groups may have none.
    int groupsWithTokens() const {
        const std::int64_t busy = std::min<std::int64_t>(ranks(), m_tokens);
        return static_cast<int>((busy + m_grid.ulysses - 1) / m_grid.ulysses);
    }

    /// The group whose keys and values `group` holds at hop 0 .. ring - 1.
    int holderAt(int group, int hop) const { return (group - hop + m_grid.ring) % m_grid.ring; }

private:
    std::int64_t m_tokens;
    RankGrid m_grid;
};

} // namespace maskscope
