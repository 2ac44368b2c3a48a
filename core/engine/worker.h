// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/engine/request.h"

#include <functional>
#include <memory>

namespace maskscope {

/// The one thread that owns the model for the life of a session. Requests wait in order; a request
/// whose stop source was used before its turn ends as cancelled without touching the model.
/// Destruction stops the running request, drops the waiting ones (each gets its Done/Cancelled
/// event) and joins.
class Worker {
public:
    /// Runs one request and sends its events to the sink, the last one included.
    using Job = std::function<void(const Request&, const EventSink&)>;
    /// Made on the worker's thread before the first request, so that everything the model does
    /// happens there; may throw a Failure, which then answers every request.
    using JobFactory = std::function<Job(const EventSink&)>;

    /// `sink` is called on the worker's thread and must outlive the Worker.
    Worker(JobFactory makeJob, EventSink sink);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Queues a request; returns at once.
    void submit(Request request);

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace maskscope
