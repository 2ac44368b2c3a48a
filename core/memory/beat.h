// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace maskscope {

/// Calls a function 20 times a second from a thread of its own, until it is stopped.
class Beat {
public:
    static constexpr std::chrono::milliseconds kInterval{50};

    explicit Beat(std::function<void()> tell);

    bool isStopped() const { return !m_thread.joinable(); }
    /// Waits for the thread, calls once more from this one, when the present millisecond is over,
    /// and gives the processor time that the thread took in all, in milliseconds. Once.
    double stop();

private:
    void run(const std::stop_token& stop);

    std::function<void()> m_tell;
    double m_processorMs = 0; ///< written by the thread as it ends
    std::jthread m_thread;
};

} // namespace maskscope
