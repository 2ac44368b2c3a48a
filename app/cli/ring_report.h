// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/ring_cost.h"

#include <nlohmann/json_fwd.hpp>

namespace maskscope {

/// Tells on standard output what sharing attention over ranks costs, for people or as JSON.
class RingReport {
public:
    enum class Kind {
        Point, ///< at length
        Grid, ///< a few lines each, and in the end how often the recommendation wins
    };
    RingReport(Kind kind, bool json)
        : m_kind(kind)
        , m_json(json) { }

    void tell(const RingCostPlan& plan, const RingCost& cost);
    /// After the last one.
    void end() const;

private:
    void tellPoint(const RingCostPlan& plan, const RingCost& cost) const;
    void tellGridPoint(const RingCostPlan& plan, const RingCost& cost) const;

    Kind m_kind;
    bool m_json;
    int m_points = 0;
    int m_right = 0;
    int m_ties = 0; ///< of those, where another was quicker, but not clearly
    double m_largestTie = 1; ///< of their ratios
};

} // namespace maskscope
