// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"

#include <map>
#include <utility>

namespace maskscope {

/// The numbers that a run told, by what they belong to. Points into the record.
using LogitIndex = std::map<std::pair<LogitsOf, int>, const LogitsProduced*>;
LogitIndex logitsOf(const RunRecord& record);

/// The numbers behind the same token or mask of two runs, place by place.
class LogitPair {
public:
    LogitPair(const LogitIndex& first, const LogitIndex& second, LogitsOf of, int index);

    /// Both are there, with their values, in one size. The rest may only be asked then.
    bool comparable() const { return m_first && m_second; }

    double largestDifference() const;
    double largest() const; ///< magnitude, of both
    /// Largest magnitude, of the smaller of both, at pixels that are in one of the two masks only:
    /// how far from the threshold a pixel was that changed sides.
    double largestWhereDiffering(const Mask& first, const Mask& second) const;

private:
    const LogitsProduced* m_first = nullptr;
    const LogitsProduced* m_second = nullptr;
};

} // namespace maskscope
