// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_pair_merge.h"

#include <functional>
#include <queue>
#include <tuple>

namespace maskscope {
namespace {

constexpr std::size_t kEnd = static_cast<std::size_t>(-1);

std::uint64_t keyOf(int left, int right) {
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32)
        | static_cast<std::uint32_t>(right);
}

/// A symbol in a doubly linked list; merging keeps the left node and unlinks the right one.
struct Node {
    int id = 0;
    std::size_t previous = kEnd;
    std::size_t next = kEnd;
    bool isGone = false;
};

struct Candidate {
    std::size_t rank;
    std::size_t left; ///< index of the pair's left node
    int merged;

    bool operator>(const Candidate& other) const {
        return std::tie(rank, left) > std::tie(other.rank, other.left);
    }
};

std::vector<Node> linked(const std::vector<int>& symbols) {
    std::vector<Node> nodes(symbols.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = {symbols[i], i == 0 ? kEnd : i - 1, i + 1 == nodes.size() ? kEnd : i + 1, false};
    return nodes;
}

} // namespace

void BytePairMerges::add(int left, int right, int merged) {
    m_merges.insert_or_assign(keyOf(left, right), Merge{m_nextRank++, merged});
}

const BytePairMerges::Merge* BytePairMerges::find(int left, int right) const {
    const auto found = m_merges.find(keyOf(left, right));
    return found == m_merges.end() ? nullptr : &found->second;
}

std::vector<int> BytePairMerges::applied(const std::vector<int>& symbols) const {
    std::vector<Node> nodes = linked(symbols);
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto offer = [&](std::size_t left) {
        if (left == kEnd || nodes[left].next == kEnd)
            return;
        if (const Merge* merge = find(nodes[left].id, nodes[nodes[left].next].id))
            queue.push({merge->rank, left, merge->merged});
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
        offer(i);

    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Node& left = nodes[best.left];
        if (left.isGone || left.next == kEnd)
            continue;
        Node& right = nodes[left.next];
        // The pair may have changed since it was offered. As in the tokenizers library it counts as
        // the same when it still makes the same token.
        const Merge* merge = find(left.id, right.id);
        if (merge == nullptr || merge->merged != best.merged)
            continue;
        left.id = best.merged;
        left.next = right.next;
        right.isGone = true;
        if (left.next != kEnd)
            nodes[left.next].previous = best.left;
        offer(left.previous);
        offer(best.left);
    }

    std::vector<int> result;
    for (std::size_t i = nodes.empty() ? kEnd : 0; i != kEnd; i = nodes[i].next)
        result.push_back(nodes[i].id);
    return result;
}

} // namespace maskscope
