// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope {

/// One attention over P patches that ranks share.
struct RingShape {
    std::int64_t patches = 7776;
    std::int64_t heads = 16;
    std::int64_t headDim = 64;
    Precision precision = Precision::Float32;
    std::vector<std::string> devices; ///< see RunSettings::ringDevices
    int threads = 1; ///< of each rank
};

} // namespace maskscope
