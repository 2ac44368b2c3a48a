// SPDX-License-Identifier: GPL-3.0-or-later
// `history` and `segment --record` as a script sees them.
#include "core/history/run_file.h"
#include "tests/app/command_line.h"
#include "tests/core/history/some_run.h"

#include <cstdlib>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::Json;
using Ended = test::Outcome;

const std::string kImage = std::string(MASKSCOPE_RESOURCES) + "/examples/tea_time.png";

class HistoryCommandLine : public test::CommandLine {
protected:
    HistoryCommandLine() {
        setenv("XDG_DATA_HOME", m_data.c_str(), 1);
        writeRunFile(test::finishedRun(), m_runFile, Existing::Keep);
    }

    Ended history(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "history");
        return run(arguments);
    }

    fs::path m_data = m_folder / "data";
    fs::path m_database = m_data / "maskscope" / "history.sqlite";
    std::string m_runFile = (m_folder / "h200.maskrun").string();
};

} // namespace

TEST_F(HistoryCommandLine, RecordsARunThatCanBeShownAndExported) {
    const Ended recorded = run({"segment", kImage, "-p", "segment the cake and the clock", "--json",
        "--attention", "mha", "--record=the trap"});
    ASSERT_EQ(recorded.exitCode, 0) << recorded.err;
    const auto runs = history({"list", "--json"}).events("past_run");
    ASSERT_EQ(runs.size(), 1U);
    const Json& past = runs.front();
    EXPECT_EQ(past.at("title"), "the trap");
    EXPECT_EQ(past.at("request"), "segment the cake and the clock");
    EXPECT_EQ(past.at("image"), kImage);
    EXPECT_EQ(past.at("attention"), "mha");
    EXPECT_EQ(past.at("outcome"), "finished");
    EXPECT_GT(past.at("extra_peak_bytes"), 0);
    EXPECT_GT(past.at("mask_peak_bytes"), 0);
    EXPECT_LT(past.at("mask_peak_bytes"), past.at("extra_peak_bytes"));
    EXPECT_EQ(past.at("device"), "cpu");
    EXPECT_GT(past.at("ms"), 0);

    const std::string id = std::to_string(past.at("id").get<int>());
    const Ended shown = history({"show", id, "--json"});
    const std::string file = (m_folder / "run.maskrun").string();
    ASSERT_EQ(history({"export", id, file}).exitCode, 0);
    EXPECT_EQ(test::contentOf(file), shown.out);
    // Nothing of what was told at the time is lost, but for the loading before it.
    const auto told = recorded.events("token");
    EXPECT_EQ(shown.events("token"), told);
    EXPECT_EQ(shown.events("mask"), recorded.events("mask"));
    EXPECT_EQ(shown.events("memory"), recorded.events("memory"));
    EXPECT_GE(shown.events("logits").size(), told.size());
    EXPECT_EQ(shown.events().back().at("event"), "done");
    const Ended text = history({"show", id});
    EXPECT_NE(text.out.find("the trap"), std::string::npos);
    EXPECT_NE(text.out.find("attention mha, KV cache on, "), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("title    the trap\nrequest  “segment the cake and the clock”\n"), 0U)
        << text.out;
}

TEST_F(HistoryCommandLine, RecordsARunThatFailed) {
    const Ended failed = run({"segment", kImage, "-p", "the cake", "--pixels", "0.5M",
        "--memory-limit", "60MiB", "--record"});
    EXPECT_EQ(failed.exitCode, 5) << failed.err;
    const auto runs = history({"--json"}).events("past_run");
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs.front().at("outcome"), "failed");
    EXPECT_EQ(runs.front().at("title"), "");
    EXPECT_NE(failed.err.find(runs.front().at("error")), std::string::npos);
}

TEST_F(HistoryCommandLine, ImportsListsAndDeletes) {
    EXPECT_NE(history({}).out.find("segment --record"), std::string::npos);
    EXPECT_FALSE(fs::exists(m_database)) << "looking made a file";
    EXPECT_EQ(history({"import", m_runFile}).exitCode, 0);
    const auto imported = history({"import", m_runFile, "--json"}).events("imported");
    ASSERT_EQ(imported.size(), 1U);
    EXPECT_EQ(imported.front().at("id"), 2);
    const Ended listed = history({"list"});
    EXPECT_EQ(std::count(listed.out.begin(), listed.out.end(), '\n'), 3) << listed.out;
    EXPECT_NE(listed.out.find("[mha, <b>] “the cat”, 1 point in cat.jpg"), std::string::npos)
        << listed.out;
    EXPECT_EQ(history({"--find", "H200", "--most", "1", "--json"}).events("past_run").size(), 1U);
    EXPECT_NE(history({"--find", "zebra"}).out.find("No run"), std::string::npos);
    EXPECT_EQ(history({"delete", "1", "2", "2", "--json"}).events("deleted").size(), 2U);
    EXPECT_TRUE(history({"--json"}).events().empty());
    EXPECT_EQ(history({"import", m_runFile, "--json"}).events("imported")[0].at("id"), 3);
}

TEST_F(HistoryCommandLine, TellsTimesAsTheyAreHere) {
    setenv("TZ", "CET-1", 1);
    ASSERT_EQ(history({"import", m_runFile}).exitCode, 0);
    EXPECT_NE(history({}).out.find("2026-11-30 10:45 CET"), std::string::npos);
    EXPECT_NE(
        history({"show", "1"}).out.find("started  2026-11-30 10:45 CET\n"), std::string::npos);
    EXPECT_EQ(history({"--json"}).events().at(0).at("started"), "2026-11-30T09:45:40Z");
    unsetenv("TZ");
}

TEST_F(HistoryCommandLine, GivesAnExportedRunBackByteForByte) {
    ASSERT_EQ(history({"import", m_runFile}).exitCode, 0);
    const std::string file = (m_folder / "again.maskrun").string();
    ASSERT_EQ(history({"export", "1", file}).exitCode, 0);
    EXPECT_EQ(test::contentOf(file), test::contentOf(m_runFile));
    const Ended kept = history({"export", "1", file});
    expectOneSentence(kept, 3);
    EXPECT_NE(kept.err.find("--force"), std::string::npos);
    EXPECT_EQ(history({"export", "1", file, "--force"}).exitCode, 0);
}

TEST_F(HistoryCommandLine, ComparesTwoPastRuns) {
    for (const char* path : {"mha", "sdpa"})
        ASSERT_EQ(run({"segment", kImage, "-p", "segment the cake", "--attention", path, "--dtype",
                          "fp32", "--threads", "2", "--record"})
                      .exitCode,
            0);
    const fs::path html = m_folder / "pair.html", text = m_folder / "pair.md";
    const Ended pair = history({"compare", "1", "2", "--html", html, "--text", text, "--json"});
    ASSERT_EQ(pair.exitCode, 0) << pair.err;
    EXPECT_EQ(pair.events("run").size(), 2U);
    const Json comparison = pair.events("summary").at(0).at("comparisons").at(0);
    EXPECT_EQ(comparison.at("first"), "run 1 (mha)");
    EXPECT_EQ(comparison.at("second"), "run 2 (sdpa)");
    EXPECT_EQ(comparison.at("kind"), "path");
    EXPECT_NE(comparison.at("verdict"), "real") << comparison;
    EXPECT_GT(comparison.at("masks").at(0).at("iou"), 0.999);
    // With the picture, which is where it was.
    EXPECT_GT(fs::file_size(html), 100'000U);
    EXPECT_NE(test::contentOf(text).find("# Use “run 2 (sdpa)”"), std::string::npos)
        << test::contentOf(text);

    // A file stands for the run that was exported, and the same run is identical to itself.
    const std::string file = (m_folder / "one.maskrun").string();
    ASSERT_EQ(history({"export", "1", file}).exitCode, 0);
    const Ended same = history({"compare", file, "1"});
    EXPECT_EQ(same.exitCode, 0) << same.err;
    EXPECT_NE(same.out.find("run 1 (mha) against one.maskrun (mha) (wiring): Identical"),
        std::string::npos)
        << same.out;
}

TEST_F(HistoryCommandLine, TellsRunsOfDifferentPicturesApart) {
    ASSERT_EQ(run({"segment", kImage, "--point", "400,300", "--record"}).exitCode, 0);
    const fs::path html = m_folder / "pair.html";
    const Ended pair = history({"compare", m_runFile, "1", "--html", html});
    ASSERT_EQ(pair.exitCode, 0) << pair.err;
    EXPECT_NE(
        pair.out.find("Different questions: the runs differ in the picture (cat.jpg, 4 x 2, and "
                      "tea_time.png, "),
        std::string::npos)
        << pair.out;
    EXPECT_NE(test::contentOf(html).find("looked at different pictures"), std::string::npos);
}

TEST_F(HistoryCommandLine, DrawsMasksOnGreyWhereThePictureIsGone) {
    const fs::path html = m_folder / "pair.html";
    const Ended pair = history({"compare", m_runFile, m_runFile, "--html", html});
    ASSERT_EQ(pair.exitCode, 0) << pair.err;
    EXPECT_NE(pair.err.find("/pictures/cat.jpg is not there as it was"), std::string::npos);
    EXPECT_NE(test::contentOf(html).find("data:image/png;base64,"), std::string::npos);
    EXPECT_FALSE(fs::exists(m_database)) << "files alone were compared";
}

TEST_F(HistoryCommandLine, RefusesToCompareWhatIsNotThere) {
    expectOneSentence(history({"compare", "1", "2"}), 2);
    ASSERT_EQ(history({"import", m_runFile}).exitCode, 0);
    expectOneSentence(history({"compare", "1"}), 2);
    expectOneSentence(history({"compare", "1", "7"}), 2);
    expectOneSentence(history({"compare", "1", "99999999999999999999"}), 3);
    expectOneSentence(history({"compare", "1", kImage}), 3);
    expectOneSentence(
        history({"compare", "1", "1", "--html", m_folder / "missing" / "pair.html"}), 3);
}

TEST_F(HistoryCommandLine, AnswersWrongUseWithOneSentence) {
    expectOneSentence(history({"show", "7"}), 2);
    expectOneSentence(history({"delete", "7"}), 2);
    ASSERT_EQ(history({"import", m_runFile}).exitCode, 0);
    for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{{"show"},
             {"show", "7"}, {"show", "cat"}, {"export", "1"}, {"delete"}, {"delete", "1", "7"},
             {"burn", "1"}, {"list", "--most", "0"}, {"show", "-1"}, {"show", ""},
             {"show", "99999999999999999999"}})
        expectOneSentence(history(call), 2);
    EXPECT_EQ(history({"--json"}).events("past_run").size(), 1U) << "nothing was deleted";
    expectOneSentence(history({"export", "1", (m_folder / "none" / "x").string()}), 3);
    expectOneSentence(history({"import", (m_folder / "none").string()}), 3);
    expectOneSentence(history({"import", kImage}), 3);
    expectOneSentence(history({"import", m_folder.string()}), 3);
}

TEST_F(HistoryCommandLine, ShowsControlCharactersOfARunAsText) {
    RunRecord hostile = test::finishedRun("2026-11-30T09:45:40Z", "a\x1b[31m\ncat");
    hostile.header.title = "\x1b]0;title\x07";
    hostile.header.device = "cpu\x1b[2J";
    hostile.header.machine.processor = "\x1b[5m";
    hostile.events.pop_back();
    writeRunFile(hostile, m_runFile, Existing::Replace);
    ASSERT_EQ(history({"import", m_runFile}).exitCode, 0);
    for (const Ended& outcome : {history({}), history({"show", "1"}), history({"--json"}),
             history({"show", "1", "--json"})}) {
        EXPECT_EQ(outcome.exitCode, 0);
        EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << outcome.out;
        EXPECT_EQ(outcome.out.find('\x07'), std::string::npos) << outcome.out;
    }
}

TEST_F(HistoryCommandLine, LeavesADamagedHistoryAndStillGivesTheResult) {
    fs::create_directories(m_database.parent_path());
    std::ofstream(m_database) << std::string(5000, 'x');
    expectOneSentence(history({"list"}), 3);
    const Ended segmented = run({"segment", kImage, "--point", "400,300", "--json", "--record"});
    expectOneSentence(segmented, 3);
    EXPECT_NE(segmented.err.find("damaged"), std::string::npos);
    EXPECT_EQ(segmented.events("done").size(), 1U);
    EXPECT_EQ(test::contentOf(m_database), std::string(5000, 'x'));
}

} // namespace maskscope
