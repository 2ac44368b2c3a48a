// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/link_rate.h"

#include "core/ring/rank_team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace maskscope {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Clock::time_point kBegun{100ms};

TEST(LinkRate, AddsTheLatencyToWhatTheBytesTake) {
    EXPECT_EQ((LinkRate{1, 0}.arrivalOf(3000, kBegun) - kBegun), 3us);
    EXPECT_EQ((LinkRate{5, 7}.arrivalOf(10'000'000, kBegun) - kBegun), 2007us);
    EXPECT_EQ((LinkRate{57, 0}.arrivalOf(57'000, kBegun) - kBegun), 1us);
    EXPECT_EQ((LinkRate{1, 7}.arrivalOf(0, kBegun) - kBegun), 7us);
}

TEST(LinkRate, WithoutALimitNothingWaits) {
    EXPECT_EQ((LinkRate{0, 7}.arrivalOf(1 << 30, kBegun)), kBegun);
}

/// What each of some ranks sends to all others at once over links of that rate, and the shortest
/// time any of them took.
Clock::duration exchangeAll(int ranks, std::size_t bytes, LinkRate rate) {
    RankTeam team(std::vector<std::string>(static_cast<std::size_t>(ranks), "cpu"));
    ThreadRing ring(team.monitor(), {paceOf(std::make_shared<const LinkRate>(rate)), nullptr});
    std::vector<Clock::duration> took(static_cast<std::size_t>(ranks));
    team.run(
        [&](int rank) {
            const std::vector<std::byte> out(bytes, std::byte(rank + 1));
            std::vector<std::vector<std::byte>> in(
                static_cast<std::size_t>(ranks), std::vector<std::byte>(bytes));
            std::vector<Outgoing> outgoing;
            std::vector<Incoming> incoming;
            for (int peer = 0; peer < ranks; ++peer)
                if (peer != rank) {
                    outgoing.push_back({peer, out});
                    incoming.push_back({peer, in[static_cast<std::size_t>(peer)]});
                }
            const auto begin = Clock::now();
            Exchange exchange(ring.seat(rank), outgoing, incoming);
            exchange.finish();
            took[static_cast<std::size_t>(rank)] = Clock::now() - begin;
            for (const Incoming& piece : incoming)
                EXPECT_TRUE(std::ranges::all_of(
                    piece.bytes, [&](std::byte b) { return b == std::byte(piece.from + 1); }));
        },
        {});
    return *std::ranges::min_element(took);
}

TEST(LinkRate, TransfersTakeAsLongAsTheLinkNeeds) {
    EXPECT_GE(exchangeAll(2, 100'000, {0.001, 0}), 100ms);
}

TEST(LinkRate, ARankSharesItsRateAmongThoseWhoSendToIt) {
    EXPECT_GE(exchangeAll(4, 20'000, {0.001, 0}), 3 * 20ms);
}

} // namespace
} // namespace maskscope
