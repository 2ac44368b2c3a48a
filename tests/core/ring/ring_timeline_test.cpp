// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_timeline.h"

#include "core/ring/rank_times.h"
#include "core/ring/ring_pass.h"
#include "tests/core/ring/fake_ring.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>

namespace maskscope {
namespace {

using Lane = RingTimeline::Lane;
using std::chrono::milliseconds;

constexpr milliseconds kCompute{20};
constexpr std::size_t kChunk = 64;

/// A pass of two ranks, which compute kCompute for each chunk while a copy takes `copy`.
struct PacedPass {
    explicit PacedPass(milliseconds copy, std::size_t most = 100)
        : timeline(std::make_shared<RingTimeline>(most)) {
        test::FakeRing fake(2, {},
            {[copy](std::int64_t, RingTimeline::Clock::time_point begun) {
                 std::this_thread::sleep_until(begun + copy);
             },
                timeline});
        fake.team.run(
            [this, ring = fake.ring](int rank) {
                std::array<std::array<std::byte, kChunk>, 2> buffers{};
                const auto visit = [&](int holder, std::span<const std::byte>) {
                    const ComputePiece piece(
                        timeline.get(), rank, "chunk " + std::to_string(holder));
                    std::this_thread::sleep_for(kCompute);
                };
                times[std::size_t(rank)] = timed(ring->seat(rank), [&] {
                    ringPass(rank, RingPlan(2, 2), kChunk, {buffers[0], buffers[1]},
                        ring->seat(rank), visit);
                });
            },
            {});
    }

    std::vector<RingTimeline::Event> eventsOf(int rank, Lane lane) const {
        std::vector<RingTimeline::Event> events = timeline->events();
        std::erase_if(events, [&](const auto& e) { return e.rank != rank || e.lane != lane; });
        return events;
    }

    std::shared_ptr<RingTimeline> timeline;
    std::array<RankTimes, 2> times;
};

TEST(RingTimeline, ShowsTransfersBehindComputing) {
    const PacedPass pass(milliseconds(5));
    for (const int rank : {0, 1}) {
        const auto computed = pass.eventsOf(rank, Lane::Compute);
        const auto transferred = pass.eventsOf(rank, Lane::Transfer);
        ASSERT_EQ(computed.size(), 2U);
        ASSERT_EQ(transferred.size(), 1U);
        EXPECT_EQ(transferred[0].bytes, std::int64_t(kChunk));
        EXPECT_EQ(transferred[0].name, "from rank " + std::to_string(1 - rank));
        EXPECT_LT(transferred[0].begin, transferred[0].end);
        EXPECT_LE(transferred[0].end, computed[1].begin); // it is needed there
        EXPECT_GE(computed[0].end - computed[0].begin, kCompute);
    }
}

TEST(RingTimeline, AgreesWithTheExposedTime) {
    const PacedPass pass(5 * kCompute);
    for (const int rank : {0, 1}) {
        const RankTimes& times = pass.times[std::size_t(rank)];
        EXPECT_EQ(times.sentBytes, std::int64_t(kChunk));
        EXPECT_GE(times.computeMs, 2 * kCompute.count());
        // It waits at least from the end of its first chunk to the end of its copy.
        const std::chrono::duration<double, std::milli> gap
            = pass.eventsOf(rank, Lane::Transfer)[0].end
            - pass.eventsOf(rank, Lane::Compute)[0].end;
        EXPECT_GE(times.exposedMs + 0.5, gap.count());
        EXPECT_GT(times.exposedMs, 0);
    }
}

TEST(RingTimeline, IsATraceThatViewersRead) {
    const PacedPass pass(milliseconds(1));
    const auto json = nlohmann::json::parse(traceOf(*pass.timeline));
    int complete = 0, names = 0;
    double last = 0;
    for (const auto& event : json.at("traceEvents")) {
        const int rank = event.at("pid");
        EXPECT_TRUE(rank == 0 || rank == 1);
        if (event.at("ph") == "M") {
            ++names;
            continue;
        }
        ++complete;
        EXPECT_EQ(event.at("ph"), "X");
        EXPECT_EQ(event.at("tid"), event.at("cat") == "transfer" ? 1 : 0);
        EXPECT_GE(event.at("ts").get<double>(), last); // which some viewers want
        EXPECT_GT(event.at("dur").get<double>(), 0);
        last = event.at("ts");
    }
    EXPECT_EQ(complete, 6);
    EXPECT_EQ(names, 6);
    EXPECT_EQ(json.at("droppedEvents"), 0);
}

TEST(RingTimeline, CountsWhatHasNoRoom) {
    const PacedPass pass(milliseconds(1), 4);
    EXPECT_EQ(pass.timeline->events().size(), 4U);
    EXPECT_EQ(pass.timeline->dropped(), 2U);
    EXPECT_EQ(nlohmann::json::parse(traceOf(*pass.timeline)).at("droppedEvents"), 2);
    EXPECT_NO_THROW(nlohmann::json::parse(traceOf(RingTimeline(0))));
}

} // namespace
} // namespace maskscope
