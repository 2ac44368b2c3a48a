// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/thread_ring.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace maskscope {

/// How fast each rank receives, whoever sends: what others would send at the same time waits.
struct LinkRate {
    double gigabytesPerSecond = 0; ///< of 10^9 bytes; 0 = as fast as it goes
    double latencyUs = 0; ///< of each message

    /// Whatever was begun at `begun` arrives no sooner than then.
    std::chrono::steady_clock::time_point arrivalOf(
        std::int64_t bytes, std::chrono::steady_clock::time_point begun) const;
};

/// Lets links between rank threads take as long as at that rate, or longer where they really do.
/// The wait is beside the ranks and costs no processor time. The rate may change between two runs
/// of the ring; 0.05 GB/s and more, so that a run that ends does not wait long for it.
LinkPace paceOf(std::shared_ptr<const LinkRate> rate);

} // namespace maskscope
