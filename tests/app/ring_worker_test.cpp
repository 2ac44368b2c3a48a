// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/socket.h>
#include <thread>

namespace maskscope::test {
namespace {

using Clock = std::chrono::steady_clock;

const fs::path kExamples = fs::path(MASKSCOPE_RESOURCES) / "examples";

/// A port of this machine that nobody listens on.
int freePort() {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    socklen_t size = sizeof address;
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    close(listener);
    return ntohs(address.sin_port);
}

class RingWorker : public CommandLine {
protected:
    RingWorker() {
        setenv("MASTER_ADDR", "127.0.0.1", 1);
        setenv("MASTER_PORT", std::to_string(freePort()).c_str(), 1);
        if (!run({"info", "--json"}).events().front().at("ring_over_processes").at("available"))
            m_missing = true;
    }
    ~RingWorker() override {
        for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"})
            unsetenv(name);
    }
    void SetUp() override {
        if (m_missing)
            GTEST_SKIP() << "This build has no ring over processes.";
    }

    /// Each rank's files are in a folder of their own.
    void choose(int rank, int worldSize) {
        setenv("RANK", std::to_string(rank).c_str(), 1);
        setenv("WORLD_SIZE", std::to_string(worldSize).c_str(), 1);
        m_folder = m_base / std::to_string(rank);
        fs::create_directories(m_folder);
    }

    pid_t startRank(int rank, int worldSize, const std::vector<std::string>& request) {
        choose(rank, worldSize);
        std::vector<std::string> arguments{"ring-worker", "--threads", "1"};
        arguments.insert(arguments.end(), request.begin(), request.end());
        return start(arguments, {});
    }

    Outcome finishRank(int rank, pid_t child) {
        m_folder = m_base / std::to_string(rank);
        Outcome outcome = finish(child);
        m_folder = m_base;
        return outcome;
    }

    static std::vector<Json> masksOf(const Outcome& outcome) {
        std::vector<Json> masks;
        for (const Json& event : outcome.events("mask"))
            masks.push_back(event.at("rle"));
        return masks;
    }

    const std::vector<std::string> m_cup{
        (kExamples / "coffee.jpg").string(), "-p", "segment the cup", "--json"};
    /// Takes many seconds.
    const std::vector<std::string> m_long{(kExamples / "wall.jpg").string(), "-p",
        "where is the flag?", "--pixels", "native", "--json"};
    fs::path m_base = m_folder;
    bool m_missing = false;
};

TEST_F(RingWorker, TwoProcessesGiveTheMasksOfOneAndOnlyTheFirstTellsThem) {
    setenv("XDG_DATA_HOME", (m_base / "data").c_str(), 1);
    auto recorded = m_cup; // the rank that tells the results may keep them as well
    recorded.emplace_back("--record");
    const pid_t second = startRank(1, 2, m_cup);
    const pid_t first = startRank(0, 2, recorded);
    const Outcome told = finishRank(0, first), silent = finishRank(1, second);
    ASSERT_EQ(told.exitCode, 0) << told.err;
    ASSERT_EQ(silent.exitCode, 0) << silent.err;
    EXPECT_TRUE(silent.out.empty() && silent.err.empty()) << silent.out << silent.err;

    auto alone = m_cup;
    alone.insert(alone.begin(), "segment");
    const auto masks = masksOf(run(alone));
    ASSERT_EQ(masks.size(), 1U);
    EXPECT_EQ(masksOf(told), masks);
    const Json done = told.events("done").front();
    EXPECT_EQ(done.at("attention").at("used"), "ring");
    ASSERT_EQ(done.at("ranks").size(), 2U);
    for (const Json& rank : done.at("ranks"))
        EXPECT_GT(rank.at("peak_bytes"), 0);
}

TEST_F(RingWorker, AWrongWorldSizeAndADifferentRequestAreTold) {
    const pid_t three = startRank(1, 3, m_cup);
    const pid_t two = startRank(0, 2, m_cup);
    for (const Outcome& outcome : {finishRank(0, two), finishRank(1, three)}) {
        EXPECT_EQ(outcome.exitCode, 6);
        EXPECT_NE(outcome.out.find("WORLD_SIZE"), std::string::npos) << outcome.out;
    }
    auto other = m_cup;
    other[2] = "segment the saucer";
    const pid_t saucer = startRank(1, 2, other);
    const pid_t cup = startRank(0, 2, m_cup);
    for (const Outcome& outcome : {finishRank(0, cup), finishRank(1, saucer)}) {
        EXPECT_EQ(outcome.exitCode, 6);
        EXPECT_NE(outcome.out.find("different requests"), std::string::npos) << outcome.out;
    }
}

TEST_F(RingWorker, WhenOneIsKilledTheOtherEndsWithASentence) {
    for (const int killed : {0, 1}) {
        setenv("MASTER_PORT", std::to_string(freePort()).c_str(), 1);
        fs::remove(m_base / "0/out");
        const pid_t ranks[]{startRank(0, 2, m_long), startRank(1, 2, m_long)};
        const auto looks = [&] { // then both have met
            return contentOf(m_base / "0/out").find("\"vision\"") != std::string::npos;
        };
        for (int i = 0; i < 600 && !looks(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        kill(ranks[killed], SIGKILL);
        const auto from = Clock::now();
        const Outcome left = finishRank(1 - killed, ranks[1 - killed]);
        EXPECT_LT(Clock::now() - from, std::chrono::seconds(10));
        finishRank(killed, ranks[killed]);
        EXPECT_EQ(left.exitCode, 6);
        EXPECT_NE(left.out.find("\"error\""), std::string::npos) << left.out;
    }
}

TEST_F(RingWorker, ARankNeedsItsPlaceInTheEnvironment) {
    choose(2, 2);
    const std::vector<std::string> call{
        "ring-worker", (kExamples / "coffee.jpg").string(), "-p", "cup"};
    expectOneSentence(run(call), 2);
    choose(1, 2);
    unsetenv("MASTER_PORT");
    const Outcome outcome = run(call);
    expectOneSentence(outcome, 2);
    EXPECT_NE(outcome.err.find("MASTER_PORT"), std::string::npos) << outcome.err;
    setenv("RANK", "first", 1);
    setenv("MASTER_PORT", "29500", 1);
    EXPECT_NE(run(call).err.find("\"first\""), std::string::npos);
}

} // namespace
} // namespace maskscope::test
