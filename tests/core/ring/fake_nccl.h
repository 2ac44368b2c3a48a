// SPDX-License-Identifier: GPL-3.0-or-later
// What the library in NCCL's place and its tests share.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace maskscope::test {

/// Work in order. It goes on whenever somebody asks how far it is: the front is called again until
/// it returns true.
struct FakeStream {
    std::mutex mutex;
    std::deque<std::function<bool()>> work;
    std::uint64_t queued = 0;
    std::uint64_t done = 0;

    /// Returns what reached() is asked for.
    std::uint64_t push(std::function<bool()> piece) {
        const std::lock_guard lock(mutex);
        work.push_back(std::move(piece));
        return ++queued;
    }
    bool reached(std::uint64_t place) {
        const std::lock_guard lock(mutex);
        for (; !work.empty() && work.front()(); work.pop_front())
            ++done;
        return done >= place;
    }
};

/// What was asked of the library, and what it is to do. `fakeNcclRecord` in it gives the address.
struct FakeNcclRecord {
    std::atomic<int> joined = 0; ///< communicators
    std::atomic<int> destroyed = 0;
    std::atomic<int> aborted = 0;
    std::atomic<int> groups = 0;
    std::atomic<int> sends = 0;
    std::atomic<int> receives = 0;
    std::atomic<int> outsideGroups = 0; ///< of these two
    std::atomic<bool> refusesToJoin = false;
    std::atomic<bool> refusesToSend = false;
    std::atomic<bool> fails = false; ///< later, on the GPU
};

} // namespace maskscope::test
