// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>

namespace maskscope {

/// What all threads of this process together have computed so far: unlike the time that passes, it
/// does not count what other programs take.
inline double processorMs() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace maskscope
