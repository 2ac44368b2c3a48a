// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/spread.h"

#include <algorithm>

namespace maskscope {

Spread spreadOf(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    const double median
        = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    return {median, values.front(), values.back()};
}

} // namespace maskscope
