// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace maskscope {

/// Makes things in the background, ahead of the one who takes them, and hands them out in the order
/// of their numbers, whatever the number of threads. `make` is called on those threads, once for
/// each number from `first` on; what it throws is thrown by take(). One taker.
template <class T>
class Feed {
public:
    Feed(std::function<T(std::uint64_t)> make, std::uint64_t first, int threads, std::size_t ahead)
        : m_make(std::move(make))
        , m_next(first)
        , m_taken(first)
        , m_ahead(ahead) {
        for (int i = 0; i < threads; ++i)
            m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }

    ~Feed() {
        for (auto& thread : m_threads)
            thread.request_stop();
        m_changed.notify_all();
    }

    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    /// The next one; waits for it.
    T take() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_error || m_ready.contains(m_taken); });
        if (m_error)
            std::rethrow_exception(m_error);
        auto node = m_ready.extract(m_taken++);
        m_changed.notify_all();
        return std::move(node.mapped());
    }

private:
    void work(const std::stop_token& stop) {
        while (true) {
            std::uint64_t number = 0;
            {
                std::unique_lock lock(m_mutex);
                const bool wanted = m_changed.wait(
                    lock, stop, [&] { return m_error || m_next < m_taken + m_ahead; });
                if (!wanted || m_error || stop.stop_requested())
                    return;
                number = m_next++;
            }
            try {
                T made = m_make(number);
                const std::lock_guard lock(m_mutex);
                m_ready.emplace(number, std::move(made));
            } catch (...) {
                const std::lock_guard lock(m_mutex);
                m_error = std::current_exception();
            }
            m_changed.notify_all();
        }
    }

    std::function<T(std::uint64_t)> m_make;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<std::uint64_t, T> m_ready;
    std::exception_ptr m_error;
    std::uint64_t m_next;
    std::uint64_t m_taken;
    std::size_t m_ahead;
    std::vector<std::jthread> m_threads; // last: they use everything above
};

} // namespace maskscope
