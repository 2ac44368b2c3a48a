// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/nccl_ring.h"

#include "core/base/error.h"
#include "core/ring/rank_team.h"
#include "core/ring/ring_pass.h"
#include "tests/core/ring/fake_device.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace maskscope {
namespace {

using test::FakeNcclRecord;

FakeNcclRecord& recordOf() {
    void* const library = dlopen(FAKE_NCCL, RTLD_NOW);
    const auto record = reinterpret_cast<FakeNcclRecord* (*)()>(dlsym(library, "fakeNcclRecord"));
    return *record();
}

/// Ranks with a device each.
struct Gpus {
    explicit Gpus(int ranks)
        : team(std::vector<std::string>(static_cast<std::size_t>(ranks), "gpu")) {
        std::vector<c10::Device> devices;
        for (int rank = 0; rank < ranks; ++rank)
            devices.emplace_back(test::kFakeType, static_cast<c10::DeviceIndex>(rank));
        ring = std::make_shared<NcclRing>(team.monitor(), NcclLibrary(FAKE_NCCL), devices);
    }

    RankTeam team;
    std::shared_ptr<NcclRing> ring;
};

class NcclRingTest : public testing::Test {
protected:
    FakeNcclRecord& m_record = recordOf();
    int m_joined = m_record.joined;
    int m_destroyed = m_record.destroyed;
    int m_aborted = m_record.aborted;

    ~NcclRingTest() override {
        m_record.refusesToJoin = m_record.refusesToSend = m_record.fails = false;
    }
};

Error errorOfRun(RankTeam& team, RankTeam::Work work) {
    try {
        team.run(std::move(work), {});
    } catch (const Failure& failure) {
        return failure.error();
    }
    return {ErrorKind::Internal, "went well"};
}

/// Of two ranks that send each other a byte.
Error errorOfSwap(Gpus& gpus) {
    return errorOfRun(gpus.team, [ring = gpus.ring](int rank) {
        std::byte out{1}, in{0};
        Exchange exchange(
            ring->seat(rank), Outgoing{1 - rank, {&out, 1}}, Incoming{1 - rank, {&in, 1}});
        exchange.finish();
    });
}

TEST_F(NcclRingTest, CarriesEachChunkRound) {
    constexpr std::int64_t kTokenBytes = 24;
    for (const int ranks : {2, 3, 4, 8})
        for (const std::int64_t tokens : {1, 7, 64}) { // also ranks that have none
            Gpus gpus(ranks);
            const RingPlan plan(tokens, ranks);
            const int groups = m_record.groups;
            std::atomic<int> wrong = 0, seen = 0;
            for (int pass = 0; pass < 3; ++pass)
                gpus.team.run(
                    [&, ring = gpus.ring](int rank) {
                        const auto mark
                            = [pass](int holder) { return std::byte(1 + 8 * pass + holder); };
                        const auto most
                            = static_cast<std::size_t>(plan.largestGroupShare() * kTokenBytes);
                        std::vector<std::byte> own(most, mark(rank)), other(most);
                        ringPass(rank, plan, kTokenBytes, {std::span(own), std::span(other)},
                            ring->seat(rank), [&](int holder, std::span<const std::byte> chunk) {
                                ++seen;
                                wrong += !std::ranges::all_of(
                                    chunk, [&](std::byte b) { return b == mark(holder); });
                                wrong += std::int64_t(chunk.size())
                                    != plan.share(holder).count * kTokenBytes;
                            });
                    },
                    {});
            EXPECT_EQ(wrong, 0) << ranks << " ranks, " << tokens << " tokens";
            EXPECT_EQ(seen, 3 * ranks * ranks);
            EXPECT_EQ(m_record.groups - groups, 3 * ranks * (ranks - 1)) << "one for each exchange";
        }
    EXPECT_EQ(m_record.outsideGroups, 0);
    EXPECT_EQ(m_record.sends, m_record.receives);
    EXPECT_EQ(m_record.destroyed - m_destroyed, m_record.joined - m_joined);
    EXPECT_EQ(m_record.aborted, m_aborted);
}

TEST_F(NcclRingTest, SendsWhatIsQueuedBeforeAndLetsWhatComesLaterRun) {
    Gpus gpus(2);
    std::atomic<int> wrong = 0;
    gpus.team.run(
        [&, ring = gpus.ring](int rank) {
            std::byte out{0}, in{0};
            bool open = false;
            test::FakeStream& computes = test::fakeStream(c10::DeviceIndex(rank), false);
            computes.push([&] {
                if (!open)
                    return false;
                out = std::byte(7 + rank);
                return true;
            });
            Exchange exchange(
                ring->seat(rank), Outgoing{1 - rank, {&out, 1}}, Incoming{1 - rank, {&in, 1}});
            bool later = false;
            const std::uint64_t place = computes.push([&] { return later = true; });
            wrong += in != std::byte(0) || computes.reached(place);
            open = true;
            wrong += !computes.reached(place) || !later; // nothing has waited for the exchange
            exchange.finish();
            wrong += in != std::byte(8 - rank);
        },
        {});
    EXPECT_EQ(wrong, 0);
}

TEST_F(NcclRingTest, KeepsSeveralExchangesApart) {
    Gpus gpus(2);
    std::atomic<int> wrong = 0;
    gpus.team.run(
        [&, ring = gpus.ring](int rank) {
            std::vector<std::byte> out{std::byte(1), std::byte(2)}, in(2);
            const auto one = [&](std::size_t i) {
                return Exchange(ring->seat(rank), Outgoing{1 - rank, std::span(out).subspan(i, 1)},
                    Incoming{1 - rank, std::span(in).subspan(i, 1)});
            };
            Exchange first = one(0), second = one(1);
            second.finish();
            first.finish();
            wrong += in != out;
        },
        {});
    EXPECT_EQ(wrong, 0);
}

TEST_F(NcclRingTest, ALostRankEndsTheJobForAll) {
    Gpus gpus(3);
    const Error error = errorOfRun(gpus.team, [ring = gpus.ring](int rank) {
        if (rank == 1)
            throw Failure(ErrorKind::Memory, "No more of it.");
        std::byte out{1}, in{0};
        Exchange exchange(ring->seat(rank), Outgoing{(rank + 1) % 3, {&out, 1}},
            Incoming{(rank + 2) % 3, {&in, 1}});
        exchange.finish();
    });
    EXPECT_EQ(error.sentence, "No more of it.");
    gpus.ring.reset();
    EXPECT_EQ(m_record.aborted - m_aborted, 3) << "nothing waits for those that stopped";
    EXPECT_EQ(m_record.destroyed, m_destroyed);
}

TEST_F(NcclRingTest, TellsWhatNcclRefuses) {
    Gpus gpus(2);
    m_record.refusesToSend = true;
    const Error error = errorOfSwap(gpus);
    EXPECT_EQ(error.kind, ErrorKind::Device);
    EXPECT_NE(error.sentence.find("could not exchange keys and values (invalid usage)"),
        std::string::npos)
        << error.sentence;
}

TEST_F(NcclRingTest, TellsWhatFailsOnTheWay) {
    Gpus gpus(2);
    m_record.fails = true;
    const Error error = errorOfSwap(gpus);
    EXPECT_EQ(error.kind, ErrorKind::Device);
    EXPECT_NE(error.sentence.find("(remote process exited)"), std::string::npos) << error.sentence;
}

TEST_F(NcclRingTest, JoinsOnlyDevicesThatDiffer) {
    const auto errorOf = [](const std::vector<c10::Device>& devices) {
        try {
            NcclRing(std::make_shared<JobMonitor>(2), NcclLibrary(FAKE_NCCL), devices);
        } catch (const Failure& failure) {
            return failure.error();
        }
        return Error{ErrorKind::Internal, "joined"};
    };
    const c10::Device first(test::kFakeType, 0), second(test::kFakeType, 1);
    EXPECT_EQ(errorOf({first, first}).sentence,
        "NCCL does not join ranks that share a GPU: give each rank one of its own, such as "
        "--ring-devices cuda:0,cuda:1.");
    m_record.refusesToJoin = true;
    EXPECT_NE(errorOf({first, second}).sentence.find("could not join the GPUs of the ring"),
        std::string::npos);
}

} // namespace
} // namespace maskscope
