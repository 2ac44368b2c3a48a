// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/transport.h"

#include <chrono>
#include <cstdint>

namespace maskscope {

/// What a rank did in one run.
struct RankTimes {
    double computeMs = 0;
    double exposedMs = 0; ///< waiting for other ranks' bytes, or for them to fetch its own
    std::int64_t sentBytes = 0;
};

/// What `work` of a rank takes, which exchanges over `transport`.
template <class Work>
RankTimes timed(const Transport& transport, const Work& work) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const TransferAccount before = transport.account();
    const auto begin = std::chrono::steady_clock::now();
    work();
    const Milliseconds all = std::chrono::steady_clock::now() - begin;
    const Milliseconds exposed = transport.account().waited - before.waited;
    return {
        (all - exposed).count(), exposed.count(), transport.account().sentBytes - before.sentBytes};
}

} // namespace maskscope
