// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace maskscope {

/// The tokens begin .. begin + count - 1.
struct RingShare {
    std::int64_t begin = 0;
    std::int64_t count = 0;
};

/// Which of the tokens belong to which rank, and whose keys and values a rank holds at each hop:
/// its own at first, then those of the rank before it, and so on until each has come by.
class RingPlan {
public:
    /// At least one rank; there may be fewer tokens than ranks, or none.
    RingPlan(std::int64_t tokens, int ranks)
        : m_tokens(tokens)
        , m_ranks(ranks) { }

    int ranks() const { return m_ranks; }
    std::int64_t tokens() const { return m_tokens; }

    /// Equal shares; the first ranks have one more where it does not come out even.
    RingShare share(int rank) const {
        const std::int64_t each = m_tokens / m_ranks, more = m_tokens % m_ranks;
        return {rank * each + std::min<std::int64_t>(rank, more), each + (rank < more ? 1 : 0)};
    }
    std::int64_t largestShare() const { return share(0).count; }

    /// The rank whose keys and values `rank` holds at hop 0 .. ranks() - 1.
    int holderAt(int rank, int hop) const { return (rank - hop + m_ranks) % m_ranks; }

private:
    std::int64_t m_tokens;
    int m_ranks;
};

} // namespace maskscope
