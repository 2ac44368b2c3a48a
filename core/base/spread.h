// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace maskscope {

/// Median and range of what the repeats took.
struct Spread {
    double median = 0;
    double low = 0;
    double high = 0;
};
Spread spreadOf(std::vector<double> values); ///< of at least one

} // namespace maskscope
