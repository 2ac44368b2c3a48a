// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/beat.h"

#include "core/memory/process.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace maskscope {

Beat::Beat(std::function<void()> tell)
    : m_tell(std::move(tell))
    , m_thread([this](const std::stop_token& stop) { run(stop); }) { }

double Beat::stop() {
    m_thread.request_stop();
    m_thread.join();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    m_tell();
    return m_processorMs;
}

void Beat::run(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        wake.wait_for(lock, stop, kInterval, [] { return false; });
        m_tell();
    }
    m_processorMs = threadProcessorMs();
}

} // namespace maskscope
