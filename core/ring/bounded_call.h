// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancelled.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

namespace maskscope {

/// Does work that nothing can interrupt, such as looking up a host, on a thread of its own, and
/// waits for it: for at most `most`, and no longer than until a stop is asked for. Then it is left
/// to itself; so it owns whatever it uses, and what it still returns is dropped. Its result, or
/// nothing when it took too long. Throws what it throws, Cancelled.
template <class Work, class Value = std::invoke_result_t<Work&>>
std::optional<Value> boundedCall(
    Work work, std::chrono::milliseconds most, const std::stop_token& stop) {
    struct Shared {
        std::mutex mutex;
        std::condition_variable_any changed;
        std::optional<Value> value;
        std::exception_ptr error;
    };
    throwIfStopped(stop);
    const auto shared = std::make_shared<Shared>();
    std::thread([shared, work = std::move(work)]() mutable {
        std::optional<Value> value;
        std::exception_ptr error;
        try {
            value.emplace(work());
        } catch (...) {
            error = std::current_exception();
        }
        const std::lock_guard lock(shared->mutex);
        shared->value = std::move(value);
        shared->error = std::move(error);
        shared->changed.notify_all();
    }).detach();
    std::unique_lock lock(shared->mutex);
    if (!shared->changed.wait_for(
            lock, stop, most, [&] { return shared->value || shared->error; })) {
        throwIfStopped(stop);
        return std::nullopt;
    }
    if (shared->error)
        std::rethrow_exception(shared->error);
    return std::move(shared->value);
}

} // namespace maskscope
