// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace maskscope {

/// Milliseconds since it was made.
class Stopwatch {
public:
    double ms() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - m_begin).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_begin = Clock::now();
};

} // namespace maskscope
