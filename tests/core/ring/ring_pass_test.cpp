// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_pass.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "tests/core/ring/fake_ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace maskscope {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::errorIn;
using test::FakeRing;
using test::kPasses;
using test::kShort;
using Clock = std::chrono::steady_clock;

/// What one rank of a pass owns.
struct FakeRank {
    FakeRank(const RingPlan& ofPlan, int ofRank)
        : plan(ofPlan)
        , rank(ofRank)
        , first(static_cast<std::size_t>(plan.largestShare()))
        , second(first.size()) {
        const RingShare own = plan.share(rank);
        std::iota(first.begin(), first.begin() + own.count, own.begin);
    }

    void pass(Transport& transport, const ChunkVisitor& visit) {
        ringPass(rank, plan, sizeof(std::int64_t),
            {std::as_writable_bytes(std::span(first)), std::as_writable_bytes(std::span(second))},
            transport, visit);
    }

    std::vector<std::int64_t> numbersIn(std::span<const std::byte> chunk) const {
        std::vector<std::int64_t> numbers(chunk.size() / sizeof(std::int64_t));
        if (!numbers.empty())
            std::memcpy(numbers.data(), chunk.data(), chunk.size());
        return numbers;
    }

    RingPlan plan;
    int rank;
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> second;
};

TEST(RingPlan, SharesFollowEachOtherAndDifferByOneAtMost) {
    for (int ranks = 1; ranks <= 9; ++ranks)
        for (const std::int64_t tokens : {0, 1, 3, 8, 13, 1944, 7776}) {
            const RingPlan plan(tokens, ranks);
            std::int64_t next = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                const RingShare share = plan.share(rank);
                EXPECT_EQ(share.begin, next);
                EXPECT_LE(share.count, plan.largestShare());
                EXPECT_GE(share.count + 1, plan.largestShare());
                next += share.count;
            }
            EXPECT_EQ(next, tokens);
        }
}

TEST(RingPass, BringsEveryChunkToEveryRankInAFixedOrder) {
    for (int ranks = 1; ranks <= 8; ++ranks)
        for (const std::int64_t tokens : {0, 1, 3, 13, 64}) {
            FakeRing fake(ranks);
            const RingPlan plan(tokens, ranks);
            fake.team.run(
                [plan, ring = fake.ring](int rank) {
                    FakeRank mine(plan, rank);
                    int hop = 0;
                    mine.pass(ring->seat(rank), [&](int holder, std::span<const std::byte> chunk) {
                        EXPECT_EQ(holder, plan.holderAt(rank, hop++));
                        const RingShare share = plan.share(holder);
                        std::vector<std::int64_t> expected(static_cast<std::size_t>(share.count));
                        std::iota(expected.begin(), expected.end(), share.begin);
                        EXPECT_EQ(mine.numbersIn(chunk), expected);
                    });
                    EXPECT_EQ(hop, plan.ranks());
                },
                {});
        }
}

TEST(RingPass, SurvivesAnyTimingOverManyPasses) {
    for (int ranks = 2; ranks <= 8; ++ranks) {
        FakeRing fake(ranks);
        const RingPlan plan(3 * ranks + 1, ranks);
        std::atomic<std::int64_t> sum = 0;
        fake.team.run(
            [plan, ring = fake.ring, &sum](int rank) {
                test::Naps naps(rank);
                FakeRank mine(plan, rank);
                const RingShare own = plan.share(rank);
                for (int pass = 0; pass < kPasses; ++pass) {
                    naps.nap();
                    std::iota(mine.first.begin(), mine.first.begin() + own.count, own.begin);
                    mine.pass(ring->seat(rank), [&](int, std::span<const std::byte> chunk) {
                        naps.nap();
                        for (const std::int64_t number : mine.numbersIn(chunk))
                            sum += number;
                    });
                }
            },
            {});
        const std::int64_t tokens = plan.tokens();
        EXPECT_EQ(sum, kPasses * ranks * tokens * (tokens - 1) / 2);
    }
}

/// A team of `ranks` in whose pass `visit` is called with the rank and the hop; what ended it.
std::exception_ptr causeOf(
    FakeRing& fake, const std::function<void(int, int)>& visit, const std::stop_token& stop = {}) {
    const RingPlan plan(40, fake.team.ranks());
    try {
        fake.team.run(
            [plan, ring = fake.ring, visit, monitor = fake.team.monitor()](int rank) {
                FakeRank mine(plan, rank);
                int hop = 0;
                mine.pass(ring->seat(rank), [&](int, std::span<const std::byte>) {
                    monitor->alive(rank);
                    visit(rank, hop++);
                });
            },
            stop);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

TEST(RankTeam, EndsForAllWithWhatOneRankThrows) {
    for (const int ranks : {1, 2, 3, 5})
        for (int culprit = 0; culprit < ranks; ++culprit)
            for (int hop = 0; hop < ranks; ++hop) {
                FakeRing fake(ranks);
                const auto cause = causeOf(fake, [&](int rank, int at) {
                    if (rank == culprit && at == hop)
                        throw Failure(ErrorKind::Memory, "no memory in hop " + std::to_string(at));
                });
                EXPECT_EQ(errorIn(cause).kind, ErrorKind::Memory);
                EXPECT_EQ(errorIn(cause).sentence, "no memory in hop " + std::to_string(hop));
                // The team stays ended, another one works.
                EXPECT_EQ(errorIn(causeOf(fake, [](int, int) {})).kind, ErrorKind::Memory);
                FakeRing next(ranks);
                EXPECT_EQ(causeOf(next, [](int, int) {}), nullptr);
            }
}

TEST(RankTeam, NamesARankThatGivesNoSignOfLife) {
    FakeRing fake(3, kShort);
    const auto gate = std::make_shared<std::atomic<bool>>(false);
    const auto left = std::make_shared<std::atomic<bool>>(false);
    const auto begin = Clock::now();
    const auto cause = causeOf(fake, [gate, left](int rank, int hop) {
        if (rank != 1 || hop != 1)
            return;
        while (!*gate)
            std::this_thread::sleep_for(milliseconds(5));
        *left = true;
    });
    EXPECT_LT(Clock::now() - begin, seconds(8));
    EXPECT_EQ(errorIn(cause).kind, ErrorKind::Device);
    EXPECT_NE(errorIn(cause).sentence.find("Rank 1 of 3 (cpu) has given no sign of life"),
        std::string::npos)
        << errorIn(cause).sentence;
    FakeRing next(3);
    EXPECT_EQ(causeOf(next, [](int, int) {}), nullptr);
    // The one that was left to itself finds its job ended and goes.
    *gate = true;
    for (int i = 0; i < 2000 && (!*left || left.use_count() > 1); ++i)
        std::this_thread::sleep_for(milliseconds(5));
    EXPECT_TRUE(*left);
    EXPECT_EQ(left.use_count(), 1) << "it still holds what it worked on";
}

TEST(RankTeam, EndsWhenARankLeavesBeforeItSent) {
    FakeRing fake(3, kShort);
    const RingPlan plan(9, 3);
    const auto begin = Clock::now();
    std::exception_ptr cause;
    try {
        fake.team.run(
            [plan, ring = fake.ring](int rank) {
                if (rank != 2)
                    FakeRank(plan, rank)
                        .pass(ring->seat(rank), [](int, std::span<const std::byte>) {});
            },
            {});
    } catch (...) {
        cause = std::current_exception();
    }
    EXPECT_LT(Clock::now() - begin, seconds(8));
    EXPECT_EQ(errorIn(cause).kind, ErrorKind::Device);
    EXPECT_NE(errorIn(cause).sentence.find("has waited for keys and values"), std::string::npos)
        << errorIn(cause).sentence;
}

TEST(RankTeam, StopsBetweenHops) {
    for (int at = 0; at < 3; ++at) {
        FakeRing fake(3);
        std::stop_source stop;
        std::atomic<int> visits = 0;
        const auto cause = causeOf(
            fake,
            [&](int rank, int hop) {
                ++visits;
                if (rank == 0 && hop == at)
                    stop.request_stop();
            },
            stop.get_token());
        ASSERT_TRUE(cause);
        EXPECT_THROW(std::rethrow_exception(cause), Cancelled);
        // Nobody is more than two hops ahead of the one that stopped them.
        EXPECT_LE(visits, 3 * (at + 3));
    }
}

TEST(RankTeam, StopsBeforeItBegins) {
    FakeRing fake(2);
    std::stop_source stop;
    stop.request_stop();
    const auto cause = causeOf(
        fake, [](int, int) { ADD_FAILURE(); }, stop.get_token());
    ASSERT_TRUE(cause);
    EXPECT_THROW(std::rethrow_exception(cause), Cancelled);
}

TEST(RankTeam, KeepsTheFirstOfSeveralCauses) {
    FakeRing fake(4);
    fake.team.monitor()->end(std::make_exception_ptr(Failure(ErrorKind::Input, "first")));
    fake.team.monitor()->end(std::make_exception_ptr(Failure(ErrorKind::Model, "second")));
    EXPECT_EQ(errorIn(causeOf(fake, [](int, int) {})).sentence, "first");
}

TEST(ThreadRing, EndsAnExchangeWhoseSidesDoNotAgree) {
    FakeRing fake(2);
    std::exception_ptr cause;
    try {
        fake.team.run(
            [ring = fake.ring](int rank) {
                std::vector<std::byte> out(8), in(rank == 0 ? 8U : 4U);
                Exchange exchange(
                    ring->seat(rank), Outgoing{1 - rank, out}, Incoming{1 - rank, in});
                exchange.finish();
            },
            {});
    } catch (...) {
        cause = std::current_exception();
    }
    EXPECT_EQ(errorIn(cause).kind, ErrorKind::Internal);
    EXPECT_EQ(errorIn(cause).sentence, "Rank 0 sent 8 bytes to rank 1, which expected 4.");
}

} // namespace
} // namespace maskscope
