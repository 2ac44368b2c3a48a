// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ulysses_pass.h"

#include "core/base/cancelled.h"
#include "core/ring/ring_pass.h"
#include "tests/core/ring/fake_ring.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <numeric>

namespace maskscope {
namespace {

using test::errorIn;
using test::FakeRing;
using test::kPasses;
using Clock = std::chrono::steady_clock;

constexpr std::array kGrids{RankGrid{1, 1}, RankGrid{2, 1}, RankGrid{1, 2}, RankGrid{3, 1},
    RankGrid{4, 1}, RankGrid{2, 2}, RankGrid{2, 3}, RankGrid{8, 1}, RankGrid{4, 2}, RankGrid{2, 4},
    RankGrid{1, 8}};

constexpr std::int64_t kSteps = 3; ///< one head of each place in each

/// The query, key and value of a token in a head, as one number.
std::int64_t numberOf(std::int64_t token, std::int64_t head) {
    return 1 + 1000 * head + token;
}

/// "Attention" of a token in a head: its own number, and the sum of all tokens'.
std::int64_t mixedNumberOf(std::int64_t token, std::int64_t head, std::int64_t tokens) {
    return numberOf(token, head) * 1'000'000 + tokens * numberOf(0, head)
        + tokens * (tokens - 1) / 2;
}

/// One rank's work on numbers; looks at each moment whether they are right.
class NumberWork final : public UlyssesWork {
public:
    using Look = std::function<void(const char* where, std::int64_t step)>;

    NumberWork(const RingPlan& plan, int rank, Transport& transport, Look look)
        : m_plan(plan)
        , m_rank(rank)
        , m_group(plan.grid().groupOf(rank))
        , m_me(plan.grid().placeOf(rank))
        , m_transport(transport)
        , m_look(std::move(look))
        , m_own(places() * shareOf(rank))
        , m_back(m_own.size())
        , m_result(places() * kSteps * shareOf(rank), -1) {
        for (auto* buffers : {&m_in, &m_mixed})
            for (auto& buffer : *buffers)
                buffer.resize(std::size_t(plan.groupShare(m_group).count));
        for (auto& buffer : m_ring)
            buffer.resize(std::size_t(plan.largestGroupShare()));
    }

    void writeOwn(std::int64_t step) override {
        m_look("write", step);
        const RingShare share = m_plan.share(m_rank);
        for (int place = 0; place < m_plan.grid().ulysses; ++place)
            for (std::int64_t i = 0; i < share.count; ++i) {
                const std::int64_t number = numberOf(share.begin + i, place * kSteps + step);
                (place == m_me ? tokensOf(m_in, step, place) : ownOf(place))[std::size_t(i)]
                    = number;
            }
    }
    std::span<const std::byte> ownFor(std::int64_t, int place) override {
        return std::as_bytes(ownOf(place));
    }
    std::span<std::byte> inFrom(std::int64_t step, int place) override {
        return std::as_writable_bytes(tokensOf(m_in, step, place));
    }

    void attend(std::int64_t step) override {
        m_look("attend", step);
        const auto& in = m_in[std::size_t(step % 2)];
        std::copy(in.begin(), in.end(), m_ring[0].begin());
        std::int64_t sum = 0;
        ringPass(m_rank, m_plan, sizeof(std::int64_t),
            {std::as_writable_bytes(std::span(m_ring[0])),
                std::as_writable_bytes(std::span(m_ring[1]))},
            m_transport, [&](int, std::span<const std::byte> chunk) {
                std::vector<std::int64_t> numbers(chunk.size() / sizeof(std::int64_t));
                if (!numbers.empty())
                    std::memcpy(numbers.data(), chunk.data(), chunk.size());
                sum = std::accumulate(numbers.begin(), numbers.end(), sum);
                m_look("hop", step);
            });
        for (std::size_t i = 0; i < in.size(); ++i)
            m_mixed[std::size_t(step % 2)][i] = in[i] * 1'000'000 + sum;
    }

    std::span<const std::byte> mixedFor(std::int64_t step, int place) override {
        return std::as_bytes(tokensOf(m_mixed, step, place));
    }
    std::span<std::byte> backFrom(std::int64_t, int place) override {
        return std::as_writable_bytes(sharesOf(m_back, place));
    }
    void keep(std::int64_t step) override {
        for (int place = 0; place < m_plan.grid().ulysses; ++place) {
            const auto from
                = place == m_me ? tokensOf(m_mixed, step, place) : sharesOf(m_back, place);
            std::copy(from.begin(), from.end(),
                m_result.begin() + (place * kSteps + step) * shareOf(m_rank));
        }
        m_look("keep", step);
    }

    /// How many numbers of the own tokens are not what they should be.
    std::int64_t wrong() const {
        const RingShare share = m_plan.share(m_rank);
        std::int64_t wrong = 0;
        for (std::int64_t head = 0; head < places() * kSteps; ++head)
            for (std::int64_t i = 0; i < share.count; ++i)
                wrong += m_result[std::size_t(head * share.count + i)]
                    != mixedNumberOf(share.begin + i, head, m_plan.tokens());
        return wrong;
    }

private:
    using Two = std::array<std::vector<std::int64_t>, 2>;

    std::int64_t places() const { return m_plan.grid().ulysses; }
    std::int64_t shareOf(int rank) const { return m_plan.share(rank).count; }
    std::span<std::int64_t> ownOf(int place) { return sharesOf(m_own, place); }
    std::span<std::int64_t> sharesOf(std::vector<std::int64_t>& numbers, int place) {
        return std::span(numbers).subspan(
            std::size_t(place * shareOf(m_rank)), std::size_t(shareOf(m_rank)));
    }
    std::span<std::int64_t> tokensOf(Two& numbers, std::int64_t step, int place) {
        const RingShare share = m_plan.share(m_plan.grid().rankAt(m_group, place));
        return std::span(numbers[std::size_t(step % 2)])
            .subspan(std::size_t(share.begin - m_plan.groupShare(m_group).begin),
                std::size_t(share.count));
    }

    const RingPlan m_plan;
    int m_rank;
    int m_group;
    int m_me;
    Transport& m_transport;
    Look m_look;
    std::vector<std::int64_t> m_own; ///< by place
    std::vector<std::int64_t> m_back;
    std::vector<std::int64_t> m_result; ///< [head][own token]
    Two m_in; ///< the group's tokens
    Two m_mixed;
    Two m_ring;
};

/// One pass of all ranks; what ended it, or null.
std::exception_ptr causeOf(FakeRing& fake, const RingPlan& plan,
    const std::function<void(int rank, const char* where, std::int64_t step)>& look,
    const std::stop_token& stop = {}) {
    try {
        fake.team.run(
            [plan, ring = fake.ring, look, monitor = fake.team.monitor()](int rank) {
                NumberWork work(plan, rank, ring->seat(rank), [&](const char* where, auto step) {
                    monitor->alive(rank);
                    look(rank, where, step);
                });
                ulyssesPass(rank, plan.grid(), kSteps, ring->seat(rank), work);
                EXPECT_EQ(work.wrong(), 0) << "rank " << rank;
            },
            stop);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

TEST(RankGrid, PlansSharesOfGroups) {
    for (const RankGrid& grid : kGrids)
        for (const std::int64_t tokens : {0, 1, 3, 8, 13, 1944}) {
            const RingPlan plan(tokens, grid);
            std::int64_t next = 0;
            int withTokens = 0;
            for (int group = 0; group < grid.ring; ++group) {
                const RingShare share = plan.groupShare(group);
                EXPECT_EQ(share.begin, next);
                EXPECT_LE(share.count, plan.largestGroupShare());
                next += share.count;
                withTokens += share.count > 0;
            }
            EXPECT_EQ(next, tokens);
            EXPECT_EQ(plan.groupsWithTokens(), withTokens);
        }
}

TEST(RankGrid, RefusesRanksAndHeadsThatDoNotDivide) {
    EXPECT_EQ(checkedRankGrid(8, 2).ring, 4);
    const auto sentenceOf = [](const auto& check) {
        try {
            check();
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Usage);
            return failure.error().sentence;
        }
        return std::string();
    };
    EXPECT_NE(sentenceOf([] { checkedRankGrid(4, 3); }).find("degree 3 does not divide 4 ranks"),
        std::string::npos);
    EXPECT_NE(sentenceOf([] { checkedRankGrid(4, 0); }), "");
    EXPECT_NE(sentenceOf([] {
        checkHeads({3, 1}, 16);
    }).find("cannot share 16 heads"),
        std::string::npos);
    EXPECT_EQ(sentenceOf([] { checkHeads({8, 1}, 16); }), "");
}

TEST(UlyssesPass, GivesEveryTokenEveryHeadInAnyGrid) {
    for (const RankGrid& grid : kGrids)
        for (const std::int64_t tokens : {0, 1, 3, 13, 64}) {
            FakeRing fake(grid.ranks());
            EXPECT_EQ(causeOf(fake, RingPlan(tokens, grid), [](int, const char*, auto) {}), nullptr)
                << grid.ulysses << " x " << grid.ring << ", " << tokens;
        }
}

TEST(UlyssesPass, SurvivesAnyTimingOverManyPasses) {
    for (const RankGrid& grid : kGrids) {
        FakeRing fake(grid.ranks());
        const RingPlan plan(3 * grid.ranks() + 1, grid);
        std::atomic<std::int64_t> wrong = 0;
        fake.team.run(
            [plan, ring = fake.ring, &wrong](int rank) {
                test::Naps naps(rank);
                for (int pass = 0; pass < kPasses; ++pass) {
                    NumberWork work(
                        plan, rank, ring->seat(rank), [&](const char*, auto) { naps.nap(); });
                    ulyssesPass(rank, plan.grid(), kSteps, ring->seat(rank), work);
                    wrong += work.wrong();
                }
            },
            {});
        EXPECT_EQ(wrong, 0) << grid.ulysses << " x " << grid.ring;
    }
}

TEST(UlyssesPass, EndsForAllWithWhatOneRankThrowsAnywhere) {
    const RankGrid grid{2, 2};
    for (const std::string where : {"write", "attend", "hop", "keep"})
        for (std::int64_t step = 0; step < kSteps; ++step)
            for (const int culprit : {0, 3}) {
                FakeRing fake(grid.ranks());
                const auto cause = causeOf(
                    fake, RingPlan(9, grid), [&](int rank, const char* at, std::int64_t now) {
                        if (rank == culprit && at == where && now == step)
                            throw Failure(ErrorKind::Memory, "no memory to " + where);
                    });
                EXPECT_EQ(errorIn(cause).kind, ErrorKind::Memory) << errorIn(cause).sentence;
                EXPECT_EQ(errorIn(cause).sentence, "no memory to " + where);
            }
}

TEST(UlyssesPass, NamesARankThatStandsStill) {
    FakeRing fake(4, test::kShort);
    const auto gate = std::make_shared<std::atomic<bool>>(false);
    const auto begin = Clock::now();
    const auto cause = causeOf(
        fake, RingPlan(9, {4, 1}), [gate](int rank, const char* where, std::int64_t step) {
            while (rank == 2 && step == 1 && std::string(where) == "attend" && !*gate)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
        });
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(8));
    EXPECT_NE(errorIn(cause).sentence.find("Rank 2 of 4 (cpu) has given no sign of life"),
        std::string::npos)
        << errorIn(cause).sentence;
    *gate = true;
}

TEST(UlyssesPass, StopsBetweenSteps) {
    for (std::int64_t at = 0; at < kSteps; ++at) {
        FakeRing fake(4);
        std::stop_source stop;
        const auto cause = causeOf(
            fake, RingPlan(9, {2, 2}),
            [&](int rank, const char* where, std::int64_t step) {
                if (rank == 1 && step == at && std::string(where) == "attend")
                    stop.request_stop();
            },
            stop.get_token());
        ASSERT_TRUE(cause);
        EXPECT_THROW(std::rethrow_exception(cause), Cancelled);
    }
}

} // namespace
} // namespace maskscope
