// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/beat.h"
#include "core/memory/ledger.h"
#include "core/memory/sample.h"

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace maskscope {

/// Tells about the memory of a ring's ranks 20 times a second from a thread of its own: for each
/// rank what its account's allocation curve saw since the last time, one sample for each
/// millisecond in which something changed.
class RankSampler {
public:
    struct Rank {
        int number = 0;
        MemoryLedger& account;
    };
    using Callback = std::function<void(const RankSample&)>;

    /// Begins at once, with 0 for each; the rest as MemorySampler. The ranks are idle meanwhile.
    RankSampler(const std::vector<Rank>& ranks, Callback callback,
        std::chrono::steady_clock::time_point start);
    /// Stops, unless stop() was called.
    ~RankSampler();
    RankSampler(const RankSampler&) = delete;
    RankSampler& operator=(const RankSampler&) = delete;

    /// As MemorySampler's.
    double stop() { return m_beat->stop(); }

private:
    struct Lane {
        Rank rank;
        CurvePoint before; ///< what it had when this began
        RankSample last;
    };

    void tell();
    void tell(Lane& lane, const CurvePoint& point);

    Callback m_callback;
    std::chrono::steady_clock::time_point m_start;
    std::vector<Lane> m_lanes;
    std::optional<Beat> m_beat; ///< from the constructor's end on
};

} // namespace maskscope
