// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace maskscope {
namespace {

using namespace std::chrono_literals;

TEST(Feed, KeepsOrderWhateverTheThreadsDo) {
    Feed<std::uint64_t> feed(
        [](std::uint64_t number) {
            std::this_thread::sleep_for(number % 3 == 0 ? 4ms : 0ms);
            return 10 * number;
        },
        7, 3, 5);
    for (std::uint64_t number = 7; number < 40; ++number)
        EXPECT_EQ(feed.take(), 10 * number);
}

TEST(Feed, DoesNotRunFartherAheadThanAsked) {
    std::atomic<std::uint64_t> made = 0;
    Feed<int> feed([&](std::uint64_t) { return int(++made); }, 0, 2, 3);
    feed.take();
    std::this_thread::sleep_for(50ms);
    EXPECT_LE(made.load(), 4U);
}

TEST(Feed, PassesOnWhatMakingThrows) {
    Feed<int> feed([](std::uint64_t) -> int { throw std::runtime_error("no sprites"); }, 0, 2, 3);
    EXPECT_THROW(feed.take(), std::runtime_error);
}

} // namespace
} // namespace maskscope
