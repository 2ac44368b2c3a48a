// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/link_rate.h"

#include <thread>
#include <utility>

namespace maskscope {

using Clock = std::chrono::steady_clock;

Clock::time_point LinkRate::arrivalOf(std::int64_t bytes, Clock::time_point begun) const {
    if (gigabytesPerSecond <= 0)
        return begun;
    const std::chrono::duration<double, std::nano> takes(
        1e3 * latencyUs + static_cast<double>(bytes) / gigabytesPerSecond);
    return begun + std::chrono::duration_cast<Clock::duration>(takes);
}

LinkPace paceOf(std::shared_ptr<const LinkRate> rate) {
    return [rate = std::move(rate)](std::int64_t bytes, Clock::time_point begun) {
        std::this_thread::sleep_until(rate->arrivalOf(bytes, begun));
    };
}

} // namespace maskscope
