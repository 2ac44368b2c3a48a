// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/boolean.h"

#include "core/edit/run_builder.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

namespace maskscope {
namespace {

using Edges = std::span<const std::int32_t>;

/// Walks both rows from edge to edge. `keep` never keeps what is in neither mask, so that all
/// runs end.
template <class Keep>
void combineRow(int y, Edges a, Edges b, Keep keep, RunBuilder& builder) {
    constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
    int from = 0;
    bool inside = false;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        const std::int32_t nextA = i < a.size() ? a[i] : kNone;
        const std::int32_t nextB = j < b.size() ? b[j] : kNone;
        const std::int32_t x = std::min(nextA, nextB);
        i += nextA == x ? 1 : 0;
        j += nextB == x ? 1 : 0;
        const bool kept = keep(i % 2 != 0, j % 2 != 0);
        if (inside && !kept)
            builder.add({y, from, x});
        else if (!inside && kept)
            from = x;
        inside = kept;
    }
}

template <class Keep>
MaskRuns combine(const MaskRuns& a, const MaskRuns& b, Keep keep) {
    RunBuilder builder;
    const auto rows = [&](int from, int to) {
        for (int y = from; y < to; ++y)
            combineRow(y, a.row(y), b.row(y), keep, builder);
    };
    const MaskRuns& upper = a.bbox[1] <= b.bbox[1] ? a : b;
    const MaskRuns& lower = a.bbox[1] <= b.bbox[1] ? b : a;
    const int upperEnd = upper.bbox[1] + upper.bbox[3];
    const int lowerEnd = lower.bbox[1] + lower.bbox[3];
    // Rows between the two boxes hold nothing.
    rows(upper.bbox[1], upperEnd);
    rows(std::max(lower.bbox[1], upperEnd), lowerEnd);
    return builder.take();
}

} // namespace

MaskRuns unite(const MaskRuns& a, const MaskRuns& b) {
    return combine(a, b, std::logical_or<bool>());
}

MaskRuns subtract(const MaskRuns& a, const MaskRuns& b) {
    return combine(a, b, [](bool inA, bool inB) { return inA && !inB; });
}

MaskRuns intersect(const MaskRuns& a, const MaskRuns& b) {
    return combine(a, b, std::logical_and<bool>());
}

MaskRuns exclusiveOr(const MaskRuns& a, const MaskRuns& b) {
    return combine(a, b, std::not_equal_to<bool>());
}

} // namespace maskscope
