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

    /// Whether a rank comes to write `text` to its standard output.
    bool awaitOutput(int rank, const std::string& text) const {
        const fs::path file = m_base / std::to_string(rank) / "out";
        for (int i = 0; i < 600; ++i) {
            if (contentOf(file).find(text) != std::string::npos)
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return false;
    }

    static std::vector<std::string> with(
        std::vector<std::string> request, const std::vector<std::string>& more) {
        request.insert(request.end(), more.begin(), more.end());
        return request;
    }

    /// What all ranks end with, the first one's first.
    std::vector<Outcome> runRanks(int worldSize, const std::vector<std::string>& request) {
        std::vector<pid_t> children;
        for (int rank = 0; rank < worldSize; ++rank)
            children.push_back(startRank(rank, worldSize, request));
        std::vector<Outcome> outcomes;
        for (int rank = 0; rank < worldSize; ++rank)
            outcomes.push_back(finishRank(rank, children[std::size_t(rank)]));
        return outcomes;
    }

    std::vector<Json> masksOfOneProcess(std::vector<std::string> request) {
        request.insert(request.begin(), "segment");
        return masksOf(run(request));
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
    const pid_t second = startRank(1, 2, m_cup);
    // The rank that tells the results may keep them as well.
    const pid_t first = startRank(0, 2, with(m_cup, {"--record"}));
    const Outcome told = finishRank(0, first), silent = finishRank(1, second);
    ASSERT_EQ(told.exitCode, 0) << told.err;
    ASSERT_EQ(silent.exitCode, 0) << silent.err;
    EXPECT_TRUE(silent.out.empty() && silent.err.empty()) << silent.out << silent.err;

    const auto masks = masksOfOneProcess(m_cup);
    ASSERT_EQ(masks.size(), 1U);
    EXPECT_EQ(masksOf(told), masks);
    const Json done = told.events("done").front();
    EXPECT_EQ(done.at("attention").at("used"), "ring");
    ASSERT_EQ(done.at("ranks").size(), 2U);
    for (const Json& rank : done.at("ranks"))
        EXPECT_GT(rank.at("peak_bytes"), 0);
}

TEST_F(RingWorker, ProcessesExchangeHeadsToo) {
    const auto masks = masksOfOneProcess(m_cup);
    ASSERT_EQ(masks.size(), 1U);
    for (const int ranks : {2, 4}) { // Ulysses alone, and with a ring between two groups
        setenv("MASTER_PORT", std::to_string(freePort()).c_str(), 1);
        const auto outcomes = runRanks(ranks, with(m_cup, {"--ulysses", "2"}));
        for (const Outcome& outcome : outcomes)
            ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        EXPECT_EQ(masksOf(outcomes.front()), masks) << ranks;
        const Json done = outcomes.front().events("done").front();
        EXPECT_EQ(done.at("ranks").size(), std::size_t(ranks));
    }
}

TEST_F(RingWorker, AWrongUlyssesDegreeIsTold) {
    const auto told = [](const Outcome& outcome, int exitCode, const std::string& what) {
        expectOneSentence(outcome, exitCode);
        EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
    };
    choose(0, 3);
    auto call = with(m_cup, {"--ulysses", "2"});
    call.insert(call.begin(), "ring-worker");
    told(run(call), 2, "does not divide 3 ranks");
    // The model has 8 heads.
    for (const Outcome& outcome : runRanks(3, with(m_cup, {"--ulysses", "3"})))
        told(outcome, 2, "cannot share 8 heads");
    setenv("MASTER_PORT", std::to_string(freePort()).c_str(), 1);
    const pid_t ring = startRank(1, 2, m_cup);
    const pid_t ulysses = startRank(0, 2, with(m_cup, {"--ulysses", "2"}));
    told(finishRank(0, ulysses), 6, "--ulysses is 2 for rank 0 and 1 for rank 1");
    told(finishRank(1, ring), 6, "--ulysses is 1 for rank 1 and 2 for rank 0");
}

TEST_F(RingWorker, MeasuresTheLinkBeforeItRuns) {
    const auto outcomes = runRanks(2, with(m_cup, {"--probe-link"}));
    for (const Outcome& outcome : outcomes)
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto links = outcomes[0].events("link");
    ASSERT_EQ(links.size(), 1U);
    EXPECT_GT(links[0].at("gb_per_s"), 0);
    EXPECT_GT(links[0].at("processor_ns_per_byte"), 0);
    for (const Json& time : links[0].at("times"))
        EXPECT_GT(time.at("us"), 0);
    EXPECT_EQ(masksOf(outcomes[0]).size(), 1U);
    EXPECT_TRUE(outcomes[1].out.empty());
}

TEST_F(RingWorker, ReckonsWithTheMemoryOfItsOwnRankAlone) {
    const auto outcomes = runRanks(4,
        {(kExamples / "wall.jpg").string(), "--point", "300,200", "--pixels", "600000", "--ulysses",
            "2", "--json"});
    for (const Outcome& outcome : outcomes)
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const Json done = outcomes.front().events("done").front();
    const double predicted = done.at("predicted_extra_peak_bytes").at("mask");
    const double measured = done.at("extra_peak_bytes").at("mask");
    // The other ranks' shares would be some megabytes more.
    EXPECT_NEAR(predicted, measured, 1 << 16);
}

TEST_F(RingWorker, ARankWithoutMemoryEndsTheJobOfAll) {
    const std::vector<std::string> two{(kExamples / "coffee.jpg").string(),
        (kExamples / "cat.jpg").string(), "-p", "segment the cup", "--pixels", "2M", "--json"};
    const pid_t refusing = startRank(1, 2, with(two, {"--memory-limit", "128MiB"}));
    const pid_t other = startRank(0, 2, two);
    const Outcome refused = finishRank(1, refusing), ended = finishRank(0, other);
    EXPECT_EQ(refused.exitCode, 5) << refused.err;
    EXPECT_EQ(refused.events("error").size(), 1U) << refused.out;
    EXPECT_EQ(ended.exitCode, 6) << ended.err;
    EXPECT_EQ(ended.events("error").size(), 1U) << ended.out;
}

TEST_F(RingWorker, ObeysCtrlCWhileItWaitsForTheOthers) {
    for (const int signal : {SIGINT, SIGTERM}) {
        setenv("MASTER_PORT", std::to_string(freePort()).c_str(), 1);
        fs::remove(m_base / "0/out");
        const pid_t rank = startRank(0, 2, m_cup);
        ASSERT_TRUE(awaitOutput(0, "\"end\"")); // loaded
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        kill(rank, signal);
        EXPECT_EQ(finishRank(0, rank).exitCode, 130);
    }
}

TEST_F(RingWorker, TellsAnUnknownHost) {
    setenv("MASTER_ADDR", "nohost.invalid", 1);
    for (const int rank : {0, 1}) {
        const Outcome outcome = finishRank(rank, startRank(rank, 2, m_cup));
        EXPECT_EQ(outcome.exitCode, 6);
        EXPECT_NE(outcome.err.find("MASTER_ADDR"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("nohost.invalid"), std::string::npos) << outcome.err;
    }
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
        ASSERT_TRUE(awaitOutput(0, "\"vision\"")); // then both have met
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
