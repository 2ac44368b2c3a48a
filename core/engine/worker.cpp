// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/worker.h"

#include "core/base/cancelled.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace maskscope {

namespace {

/// One request's way to the sink: events one after the other, nothing after the one that ends it.
class Events {
public:
    Events(const Request& request, const EventSink& sink)
        : m_number(request.number)
        , m_sink(sink) { }

    void pass(const Event& event) {
        const std::lock_guard lock(m_mutex);
        if (m_ended)
            return;
        m_ended = std::holds_alternative<Done>(event.payload)
            || std::holds_alternative<Failed>(event.payload);
        m_sink(event);
    }

    /// Ends the request, unless it has ended. A sink that throws here has nobody left to tell.
    void end(EventPayload payload) noexcept {
        using Milliseconds = std::chrono::duration<double, std::milli>;
        const double ms = Milliseconds(std::chrono::steady_clock::now() - m_start).count();
        try {
            pass({m_number, ms, std::move(payload)});
        } catch (...) { }
    }

private:
    std::uint64_t m_number;
    const EventSink& m_sink;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::mutex m_mutex; ///< a job may send memory events from a thread of its own
    bool m_ended = false;
};

Done cancelled() {
    auto report = std::make_shared<Report>();
    report->outcome = Outcome::Cancelled;
    return {std::move(report)};
}

} // namespace

class Worker::Impl {
public:
    Impl(JobFactory makeJob, EventSink sink)
        : m_sink(std::move(sink))
        , m_thread([this, make = std::move(makeJob)] { run(make); }) { }

    ~Impl() {
        {
            const std::lock_guard lock(m_mutex);
            m_closing = true;
            for (Request& request : m_waiting)
                request.stop.request_stop();
            m_running.request_stop();
        }
        m_wake.notify_one();
    }

    void submit(Request request) {
        {
            const std::lock_guard lock(m_mutex);
            m_waiting.push_back(std::move(request));
        }
        m_wake.notify_one();
    }

private:
    void run(const JobFactory& makeJob) {
        Job job;
        std::optional<Error> missing; ///< why there is no job
        try {
            job = makeJob(m_sink);
            if (!job)
                missing = Error{ErrorKind::Internal, "A defect of this program: no job was made."};
        } catch (...) {
            missing = errorOf(std::current_exception());
        }
        while (const auto request = next()) {
            Events events(*request, m_sink);
            if (request->stop.stop_requested())
                events.end(cancelled());
            else if (missing)
                events.end(Failed{*missing});
            else
                runOne(job, *request, events);
        }
    }

    static void runOne(const Job& job, const Request& request, Events& events) {
        try {
            job(request, [&](const Event& event) { events.pass(event); });
            events.end(Failed{{ErrorKind::Internal,
                "A defect of this program: the request ended without a result."}});
        } catch (const Cancelled&) {
            events.end(cancelled());
        } catch (...) {
            events.end(Failed{errorOf(std::current_exception())});
        }
    }

    /// Waits for a request; none when the worker closes and all were answered.
    std::optional<Request> next() {
        std::unique_lock lock(m_mutex);
        m_running = std::stop_source(std::nostopstate);
        m_wake.wait(lock, [this] { return m_closing || !m_waiting.empty(); });
        if (m_waiting.empty())
            return std::nullopt;
        Request request = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_running = request.stop;
        return request;
    }

    const EventSink m_sink;
    std::mutex m_mutex; ///< guards the next three
    std::deque<Request> m_waiting;
    std::stop_source m_running{std::nostopstate};
    bool m_closing = false;
    std::condition_variable m_wake;
    std::jthread m_thread; ///< last: it ends before what it uses
};

Worker::Worker(JobFactory makeJob, EventSink sink)
    : m_impl(std::make_unique<Impl>(std::move(makeJob), std::move(sink))) { }

Worker::~Worker() = default;

void Worker::submit(Request request) {
    m_impl->submit(std::move(request));
}

} // namespace maskscope
