// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/sample_curve.h"
#include "ui/figure_table.h"

#include <cstdint>
#include <map>
#include <optional>

namespace maskscope {

/// The memory curves of a ring's ranks in one run, of bounded size; peaks are never lost. Samples
/// of one rank come in order of time.
class RankSeries {
public:
    struct Lane {
        SampleCurve<RankSample> curve;
        std::int64_t peak = 0; ///< live bytes
        std::int64_t stagingPeak = 0;

        /// What held at `tMs`; null before the first.
        const RankSample* at(double tMs) const;
    };

    void clear() { m_lanes.clear(); }
    void add(const RankSample& sample);

    bool isEmpty() const { return m_lanes.empty(); }
    const std::map<int, Lane>& lanes() const { return m_lanes; } ///< by rank
    std::int64_t highestPeak() const;
    /// Of all ranks together, at `tMs` or, when absent, at the end of what is measured.
    std::int64_t liveAt(std::optional<double> tMs) const;

private:
    std::map<int, Lane> m_lanes;
};

/// Each rank's peaks, and their sums.
FigureSheet rankSheet(const RankSeries& ranks);

} // namespace maskscope
