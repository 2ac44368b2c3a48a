// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/memory/process.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

namespace maskscope {

/// Sends one request's events, stamped with its number and the time since it started. Any thread;
/// the sink is never called by two at once.
class Emitter {
public:
    Emitter(std::uint64_t request, const EventSink& sink)
        : m_request(request)
        , m_sink(sink) { }

    void operator()(EventPayload payload) {
        const std::scoped_lock lock(m_mutex);
        if (!m_sink)
            return;
        const bool owner = std::this_thread::get_id() == m_owner;
        const double begin = owner ? threadProcessorMs() : 0;
        m_sink({m_request, elapsedMs(), std::move(payload)});
        if (owner)
            m_sinkMs += threadProcessorMs() - begin;
    }

    /// Processor time that the sink took of the thread which made the emitter, so far. On it.
    double sinkMs() const { return m_sinkMs; }

    std::chrono::steady_clock::time_point start() const { return m_start; }

    double elapsedMs() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start)
            .count();
    }

private:
    std::uint64_t m_request;
    const EventSink& m_sink;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::thread::id m_owner = std::this_thread::get_id();
    double m_sinkMs = 0;
    std::mutex m_mutex;
};

} // namespace maskscope
