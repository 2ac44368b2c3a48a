// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace maskscope {

/// The merges of a byte-pair vocabulary (Sennrich et al. 2016), the first added having precedence.
class BytePairMerges {
public:
    /// From now on `left` followed by `right` may become `merged`. A pair added again takes the
    /// later precedence.
    void add(int left, int right, int merged);

    /// Merges until no pair is left that may: always the pair of highest precedence, the leftmost
    /// among equals. n log n in the number of symbols, which are the ids of single bytes.
    std::vector<int> applied(const std::vector<int>& symbols) const;

private:
    struct Merge {
        std::size_t rank = 0;
        int merged = 0;
    };

    const Merge* find(int left, int right) const;

    std::unordered_map<std::uint64_t, Merge> m_merges;
    std::size_t m_nextRank = 0;
};

} // namespace maskscope
