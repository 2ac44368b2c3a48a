// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/bounded_call.h"

#include <gtest/gtest.h>

#include <memory>
#include <semaphore>
#include <stdexcept>

namespace maskscope {
namespace {

constexpr std::chrono::minutes kLong{1};

/// Work that lasts until it is let go, and what it returns.
struct Held {
    std::shared_ptr<std::binary_semaphore> gate = std::make_shared<std::binary_semaphore>(0);
    std::shared_ptr<int> value = std::make_shared<int>(7);

    auto work() {
        return [gate = gate, value = std::move(value)] {
            gate->acquire();
            return value;
        };
    }
};

void expectDropped(const std::weak_ptr<int>& value) {
    while (!value.expired())
        std::this_thread::yield();
}

TEST(BoundedCall, GivesWhatTheWorkReturnsOrThrows) {
    EXPECT_EQ(boundedCall([] { return 7; }, kLong, {}), 7);
    const auto fails = []() -> int { throw std::out_of_range("none"); };
    EXPECT_THROW(boundedCall(fails, kLong, {}), std::out_of_range);
}

TEST(BoundedCall, LeavesWhatTakesTooLong) {
    Held held;
    const std::weak_ptr<int> value = held.value;
    EXPECT_EQ(boundedCall(held.work(), std::chrono::milliseconds(1), {}), std::nullopt);
    held.gate->release();
    expectDropped(value);
}

TEST(BoundedCall, LeavesWhatIsStopped) {
    Held held;
    const std::weak_ptr<int> value = held.value;
    std::stop_source stop;
    const std::jthread other([&] { stop.request_stop(); });
    EXPECT_THROW(boundedCall(held.work(), kLong, stop.get_token()), Cancelled);
    held.gate->release();
    expectDropped(value);
}

} // namespace
} // namespace maskscope
