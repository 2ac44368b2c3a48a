// SPDX-License-Identifier: GPL-3.0-or-later
// `compare` as a script sees it.
#include "tests/app/command_line.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::Json;
using test::Outcome;

const std::string kPicture = fs::path(MASKSCOPE_RESOURCES) / "examples" / "coffee.jpg";

class CompareCommandLine : public test::CommandLine { };

} // namespace

TEST_F(CompareCommandLine, FindsMhaAndSdpaEqualUpToRounding) {
    const fs::path html = m_folder / "report.html", text = m_folder / "request.md";
    const Outcome outcome = run(
        {"compare", kPicture, "-p", "the cup", "--config", "mha", "--config", "sdpa", "--config",
            "auto", "--dtype", "fp32", "--threads", "2", "--html", html, "--text", text, "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto runs = outcome.events("run");
    ASSERT_EQ(runs.size(), 3U);
    const auto summary = outcome.events("summary");
    ASSERT_EQ(summary.size(), 1U);
    const Json& path = summary[0].at("comparisons").at(0);
    EXPECT_EQ(path.at("kind"), "path");
    EXPECT_TRUE(path.at("first_differing_token").is_null());
    EXPECT_NE(path.at("verdict"), "real") << path;
    for (const Json& mask : path.at("masks")) {
        const Json& logit = mask.at("largest_logit_where_differing");
        EXPECT_TRUE(logit.is_null() || logit < 1e-3) << mask;
    }
    const Json& mha = summary[0].at("configurations").at(0);
    const Json& sdpa = summary[0].at("configurations").at(1);
    EXPECT_GT(mha.at("extra_peak_bytes").at("mask"), sdpa.at("extra_peak_bytes").at("mask"));
    // Sizes of a page, not of a picture that was left out.
    EXPECT_GT(fs::file_size(html), 100'000U);
    EXPECT_NE(test::contentOf(text).find("## Escape hatch"), std::string::npos);
}

TEST_F(CompareCommandLine, HoldsWiringToTheBit) {
    const Outcome outcome = run({"compare", kPicture, "-p", "the cup", "--config", "sdpa",
        "--config", "auto", "--config", "sdpa,mask-pass=batch", "--threads", "1", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    for (const Json& pair : outcome.events("summary").at(0).at("comparisons")) {
        EXPECT_EQ(pair.at("kind"), "wiring") << pair;
        EXPECT_EQ(pair.at("verdict"), "identical") << pair;
    }
}

TEST_F(CompareCommandLine, SurvivesARunThatRunsOutOfMemory) {
    const Outcome outcome = run({"compare", kPicture, "-p", "the cup", "--config",
        "mha,memory-limit=40MiB,preflight=off", "--config", "sdpa"});
    EXPECT_EQ(outcome.exitCode, 5) << outcome.err;
    EXPECT_NE(outcome.err.find("mha,memory-limit=40MiB,preflight=off: "), std::string::npos);
    EXPECT_NE(outcome.out.find("(unknown): Nothing to compare"), std::string::npos) << outcome.out;
}

TEST_F(CompareCommandLine, KeepsEachConfigurationInTheHistory) {
    setenv("XDG_DATA_HOME", (m_folder / "data").c_str(), 1);
    const Outcome compared = run({"compare", kPicture, "-p", "the cup", "--config", "sdpa",
        "--config", "mha,memory-limit=1MiB", "--repeats", "2", "--record=lab"});
    EXPECT_EQ(compared.exitCode, 5) << compared.err;
    const auto runs = run({"history", "--json"}).events("past_run");
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].at("title"), "lab: sdpa");
    EXPECT_EQ(runs[1].at("outcome"), "finished");
    EXPECT_EQ(runs[0].at("title"), "lab: mha,memory-limit=1MiB");
    EXPECT_EQ(runs[0].at("outcome"), "failed");
    // Both can leave the machine: what a run lacks that failed at once is known here.
    for (const char* id : {"1", "2"}) {
        const std::string file = (m_folder / id).string() + ".maskrun";
        EXPECT_EQ(run({"history", "export", id, file}).exitCode, 0);
        EXPECT_EQ(run({"history", "import", file}).exitCode, 0);
    }
    // The first run of a configuration is the one with the numbers.
    EXPECT_FALSE(
        run({"history", "show", "1", "--json"}).events("logits").at(0).at("values").empty());
}

TEST_F(CompareCommandLine, RefusesWhatCannotBeMeant) {
    expectOneSentence(run({"compare", kPicture, "-p", "a", "--config", "sdpa"}), 2);
    expectOneSentence(
        run({"compare", kPicture, "-p", "a", "--config", "sdpa", "--config", "fast"}), 2);
    expectOneSentence(
        run({"compare", kPicture, "-p", "a", "--config", "sdpa", "--config", "kv-cache=maybe"}), 2);
    expectOneSentence(run({"compare", kPicture, "--config", "sdpa", "--config", "mha"}), 2);
    expectOneSentence(
        run({"compare", "missing.png", "-p", "a", "--config", "sdpa", "--config", "mha"}), 3);
    std::ofstream(m_folder / "there.html") << "kept";
    expectOneSentence(run({"compare", kPicture, "-p", "a", "--config", "sdpa", "--config", "mha",
                          "--html", m_folder / "there.html"}),
        3);
    EXPECT_EQ(test::contentOf(m_folder / "there.html"), "kept");
    for (const char* option : {"--html", "--text"}) {
        const Outcome outcome = run({"compare", kPicture, "-p", "a", "--config", "sdpa", "--config",
            "mha", option, m_folder / "missing" / "report"});
        expectOneSentence(outcome, 3);
        EXPECT_EQ(outcome.out, "") << "told after everything was run";
    }
}

TEST_F(CompareCommandLine, RefusesBeforeAnythingRunsWhatTheRunsWouldRefuse) {
    const std::vector<std::string> call{
        "compare", kPicture, "-p", "a", "--config", "sdpa", "--config", "mha"};
    const auto with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = call;
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.out, "") << more.front();
        return outcome;
    };
    expectOneSentence(with({"--temperature", "NaN"}), 2);
    expectOneSentence(with({"--temperature", "-1"}), 2);
    expectOneSentence(with({"--top-p", "2"}), 2);
    const std::string both = (m_folder / "both").string();
    expectOneSentence(with({"--html", both, "--text", both}), 2);
    expectOneSentence(with({"--html", "/dev/null", "--force"}), 3);
    const std::string name = (m_folder / "bad\xff.jpg").string();
    std::filesystem::copy_file(kPicture, name);
    const Outcome badName
        = run({"compare", name, "-p", "a", "--config", "sdpa", "--config", "mha"});
    expectOneSentence(badName, 3);
    EXPECT_NE(badName.err.find("not UTF-8"), std::string::npos) << badName.err;
}

TEST_F(CompareCommandLine, ShowsWhatTheRanksOfARingHold) {
    const Outcome outcome = run({"compare", kPicture, "-p", "the cup", "--config", "sdpa",
        "--config", "ring,ring-devices=cpu+cpu+cpu", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto summaries = outcome.events("summary");
    ASSERT_EQ(summaries.size(), 1U);
    const Json& ring = summaries[0].at("configurations")[1].at("ranks");
    ASSERT_EQ(ring.at("peak_bytes").size(), 3U);
    std::int64_t sum = 0;
    for (const Json& bytes : ring.at("peak_bytes"))
        sum += bytes.get<std::int64_t>();
    EXPECT_EQ(ring.at("sum_of_peaks_bytes"), sum);
    EXPECT_GT(ring.at("staging_bytes"), 0);
    EXPECT_LT(ring.at("staging_bytes"), sum);
    EXPECT_NE(summaries[0].at("memory").dump().find("staging: each rank has"), std::string::npos);
}

TEST_F(CompareCommandLine, StopsAtOnceAndLeavesNoChild) {
    const pid_t compare = start({"compare", kPicture, "-p", "the cup", "--config", "sdpa",
                                    "--config", "mha", "--repeats", "100", "--json"},
        {});
    while (test::contentOf(m_folder / "out").empty()) // until the first run has ended
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(compare, SIGINT);
    EXPECT_EQ(finish(compare).exitCode, 130);
}

} // namespace maskscope
