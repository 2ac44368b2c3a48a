// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/heartbeat.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <stdexcept>

namespace maskscope {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

/// The numbers that all ranks see.
struct Numbers {
    std::int64_t add(int rank, std::int64_t more) {
        const std::lock_guard lock(mutex);
        if (gone)
            throw std::runtime_error("gone");
        return beats[rank] += more;
    }
    std::mutex mutex;
    std::map<int, std::int64_t> beats;
    bool gone = false;
};

/// Two ranks, and what the first of them hears.
struct Pair {
    explicit Pair(milliseconds still = seconds(600), milliseconds silence = seconds(600))
        : pulses{Pulse(still), Pulse(still)}
        , first(start(0, silence,
              [this](const std::string& lost) {
                  const std::lock_guard lock(mutex);
                  heard = lost;
              }))
        , second(start(1, silence, [](const std::string&) {})) { }

    std::unique_ptr<Heartbeat> start(
        int rank, milliseconds silence, std::function<void(const std::string&)> onLost) {
        return std::make_unique<Heartbeat>(
            rank, 2, silence, pulses[std::size_t(rank)],
            [this](int other, std::int64_t more) { return numbers.add(other, more); },
            std::move(onLost));
    }

    std::string sentence() {
        const auto begin = Clock::now();
        while (Clock::now() - begin < seconds(60)) {
            {
                const std::lock_guard lock(mutex);
                if (!heard.empty())
                    return heard;
            }
            std::this_thread::sleep_for(milliseconds(10));
        }
        return "nothing";
    }

    Numbers numbers;
    std::array<Pulse, 2> pulses;
    std::mutex mutex;
    std::string heard;
    std::unique_ptr<Heartbeat> first;
    std::unique_ptr<Heartbeat> second;
};

TEST(Heartbeat, NamesTheRankWhoseComputingStandsStill) {
    Pair pair(milliseconds(1100));
    pair.pulses[1].follow([] { return 5; });
    EXPECT_EQ(pair.sentence(),
        "Rank 1 of 2 has given no sign of life for 2 seconds: what it computes stands still.");
}

TEST(Heartbeat, NamesTheRankThatIsSilent) {
    Pair pair(seconds(600), milliseconds(1500));
    pair.second.reset();
    EXPECT_EQ(pair.sentence(),
        "Rank 1 of 2 has given no sign of life for 2 seconds: its process has ended or stands "
        "still.");
}

TEST(Heartbeat, SaysThatTheNumbersAreGone) {
    Pair pair;
    {
        const std::lock_guard lock(pair.numbers.mutex);
        pair.numbers.gone = true;
    }
    EXPECT_EQ(pair.sentence(), "Rank 0 of 2, which all ranks meet at, has ended.");
}

TEST(Pulse, StopsOnlyWhereSomethingComputesWithoutSigns) {
    std::atomic<std::uint64_t> signs = 0;
    const auto stopsWithin = [](Pulse& pulse, int looks) {
        for (int i = 0; i < looks; ++i) {
            if (pulse.hasStopped())
                return true;
            std::this_thread::sleep_for(milliseconds(5));
        }
        return false;
    };
    Pulse pulse(milliseconds(20));
    EXPECT_FALSE(stopsWithin(pulse, 10)) << "nothing computes";
    pulse.follow([&] { return ++signs; });
    EXPECT_FALSE(stopsWithin(pulse, 10)) << "it gives signs";
    pulse.follow([] { return 7; });
    pulse.setWaiting(true);
    EXPECT_FALSE(stopsWithin(pulse, 10)) << "it waits";
    pulse.setWaiting(false);
    EXPECT_TRUE(stopsWithin(pulse, 1000));
    pulse.follow(nullptr);
    EXPECT_FALSE(stopsWithin(pulse, 10));
}

} // namespace
} // namespace maskscope
