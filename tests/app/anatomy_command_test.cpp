// SPDX-License-Identifier: GPL-3.0-or-later
// `anatomy` as a script sees it.
#include "tests/app/command_line.h"

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace maskscope {
namespace {

using test::Json;
using test::Outcome;

class AnatomyCommandLine : public test::CommandLine { };

std::int64_t sumOf(const Json& anatomy) {
    std::int64_t sum = anatomy.at("unattributed_bytes").get<std::int64_t>();
    for (const Json& tensor : anatomy.at("tensors"))
        sum += tensor.at("bytes").get<std::int64_t>() * tensor.at("copies").get<std::int64_t>();
    for (const Json& bytes : anatomy.at("before"))
        sum += bytes.get<std::int64_t>();
    return sum;
}

} // namespace

TEST_F(AnatomyCommandLine, ShowsTheTwoMatricesOfTheNativePath) {
    const Outcome outcome = run({"anatomy", "--path", "mha", "--patches", "1024", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto events = outcome.events("anatomy");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].at("matrices"), 2);
    EXPECT_EQ(sumOf(events[0]), events[0].at("peak_bytes"));
    const Outcome table
        = run({"anatomy", "--path", "mha", "--patches", "256", "--heads", "4", "--dim", "192"});
    EXPECT_NE(table.out.find("2 tensors of 4 x 256 x 256 are alive at the peak"), std::string::npos)
        << table.out;
}

TEST_F(AnatomyCommandLine, RefusesWhatDoesNotFitWithFigures) {
    for (const char* command : {"anatomy", "audit"}) {
        const Outcome outcome = run({command, "--path", "mha", "--patches", "200000"});
        expectOneSentence(outcome, 5);
        EXPECT_NE(outcome.err.find("mha over 200000 patches needs about "), std::string::npos)
            << outcome.err;
        EXPECT_NE(outcome.err.find("Choose the path sdpa or fewer patches"), std::string::npos);
    }
    expectOneSentence(run({"audit", "--matrix", "--patches", "200000"}), 5);
}

TEST_F(AnatomyCommandLine, ShowsTheStageOfARequest) {
    const std::string picture = MASKSCOPE_RESOURCES "/examples/cat.jpg";
    const Outcome outcome
        = run({"anatomy", picture, "-p", "segment the cat", "--stage", "vision", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto events = outcome.events("anatomy");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].at("matrices"), 0);
    EXPECT_EQ(sumOf(events[0]), events[0].at("peak_bytes"));
    EXPECT_GT(events[0].at("before").at("weights"), 1'000'000);
}

TEST_F(AnatomyCommandLine, RefusesWhatDoesNotFit) {
    expectOneSentence(run({"anatomy", "--patches", "1024", "--memory-limit", "100MiB"}), 5);
    expectOneSentence(
        run({"anatomy", "--patches", "1024", "--memory-limit", "100MiB", "--no-preflight"}), 5);
    const std::string picture = MASKSCOPE_RESOURCES "/examples/cat.jpg";
    expectOneSentence(run({"anatomy", picture, "-p", "the cat", "--memory-limit", "1MiB"}), 5);
    expectOneSentence(run({"anatomy", "--memory-limit", ""}), 2);
}

TEST_F(AnatomyCommandLine, EndsAtOnceOnInterruptAsOtherCommandsDo) {
    const auto blocks = [](pid_t process, int signal) {
        std::ifstream status("/proc/" + std::to_string(process) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigBlk:"))
                return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) == 1;
        return false;
    };
    // Scripts start what runs in the background with the first one ignored.
    const auto handled = std::signal(SIGINT, SIG_IGN);
    for (const auto& [command, signal] : std::vector<std::pair<std::string, int>>{
             {"anatomy", SIGINT}, {"audit", SIGTERM}, {"audit", SIGHUP}}) {
        // For minutes, within one operation.
        const pid_t child = start(
            {command, "--path", "sdpa", "--patches", "200000", "--heads", "1", "--dim", "64"}, {});
        for (int i = 0; i < 12'000 && !blocks(child, signal); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        kill(child, signal);
        EXPECT_EQ(finish(child).exitCode, 130) << command;
    }
    std::signal(SIGINT, handled);
}

TEST_F(AnatomyCommandLine, RefusesWhatCannotBeMeant) {
    expectOneSentence(run({"anatomy", "--path", "magic"}), 2);
    expectOneSentence(run({"anatomy", "--path", "ring"}), 6);
    expectOneSentence(run({"anatomy", "-p", "the cat"}), 2);
    const std::string picture = MASKSCOPE_RESOURCES "/examples/cat.jpg";
    expectOneSentence(run({"anatomy", picture}), 2);
    expectOneSentence(run({"anatomy", picture, "-p", "the cat", "--stage", "load"}), 2);
    expectOneSentence(run({"anatomy", "/no/picture", "-p", "the cat"}), 3);
}

} // namespace maskscope
