// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/command_text.h"
#include "core/compare/figures_table.h"
#include "core/compare/memory_drawing.h"
#include "core/compare/memory_note.h"
#include "core/compare/report_json.h"
#include "core/compare/report_text.h"
#include "tests/core/compare/some_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace maskscope {
namespace {

using test::failedRun;
using test::SomeRun;

ComparedRuns repeated(const SomeRun& run, const std::vector<double>& times) {
    ComparedRuns compared{run.record().header, {}};
    for (const double ms : times) {
        SomeRun timed = run;
        timed.ms = ms;
        compared.runs.push_back(timed.record());
    }
    return compared;
}

std::vector<ComparedRuns> mhaAgainstSdpa() {
    return {repeated({.title = "mha|<i>", .path = AttentionPath::Mha, .peak = 4000}, {30, 10, 20}),
        repeated({.title = "sdpa", .peak = 1000}, {8})};
}

const FiguresTable::Row& rowOf(const FiguresTable& table, const std::string& name) {
    return *std::ranges::find(table.rows, name, &FiguresTable::Row::name);
}

TEST(FiguresTable, HasMediansRangesAndRatios) {
    const FiguresTable table = figuresOf(mhaAgainstSdpa());
    EXPECT_EQ(table.columns, (std::vector<std::string>{"mha|<i>", "sdpa"}));
    EXPECT_EQ(rowOf(table, "time, mask").cells[0], "20.0 ms (10.0 to 30.0)");
    EXPECT_EQ(rowOf(table, "time, mask").cells[1], "8.0 ms");
    EXPECT_NE(rowOf(table, "extra peak, mask").cells[1].find("(4.0 x less)"), std::string::npos);
    EXPECT_TRUE(rowOf(table, "extra peak, mask").outstanding);
    EXPECT_FALSE(rowOf(table, "peak of the run").outstanding);
    EXPECT_EQ(rowOf(table, "attention used").cells[0], "mha");
    // Stages that no run had are left out.
    EXPECT_TRUE(std::ranges::none_of(
        table.rows, [](const auto& row) { return row.name == "time, vision"; }));
}

TEST(FiguresTable, SaysWhatARunThatFailedLacks) {
    const std::vector<ComparedRuns> compared{
        repeated({.title = "sdpa"}, {8}), {failedRun().header, {failedRun()}}};
    EXPECT_EQ(rowOf(figuresOf(compared), "time, mask").cells[1], "N/A");
    EXPECT_EQ(failuresOf(compared), std::vector<std::string>{"mha: Too much: 30.75 GiB."});
}

TEST(Circumstances, AreToldOnceWhereTheyAreTheSame) {
    std::vector<ComparedRuns> compared = mhaAgainstSdpa();
    EXPECT_EQ(circumstancesOf(compared).size(), 1U);
    EXPECT_EQ(requestsOf(compared), std::vector<std::string>{"Request: the <b>cat</b>"});
    compared[1].runs[0].header.machine.processor = "Another processor";
    compared[1].header.text = "the dog";
    const std::vector<std::string> lines = circumstancesOf(compared);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[1].find("sdpa: Another processor with AVX2, 2 threads, "), 0U) << lines[1];
    EXPECT_EQ(requestsOf(compared)[1], "Request: sdpa: the dog");
    for (ComparedRuns& runs : compared)
        runs.header.text.clear();
    EXPECT_TRUE(requestsOf(compared).empty());
}

TEST(Remarks, WarnOnceOfPicturesFarLargerThanThoseOfTheTraining) {
    std::vector<ComparedRuns> compared = mhaAgainstSdpa();
    EXPECT_TRUE(remarksOf(compared).empty());
    EXPECT_TRUE(summaryJson(compared).at("remarks").empty());
    for (ComparedRuns& runs : compared)
        runs.runs[0].header.trainingPixels = 1024; // the runs saw 64 patches of 256 pixels
    const std::vector<std::string> remarks = remarksOf(compared);
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_NE(remarks[0].find("saw 0.02 MP"), std::string::npos) << remarks[0];
    EXPECT_EQ(summaryJson(compared).at("remarks").at(0), remarks[0]);
    EXPECT_NE(changeRequestOf(compared).find(remarks[0]), std::string::npos);
}

TEST(PastRun, IsNamedByItsPlaceAndWhatItWas) {
    RunRecord record = SomeRun{.title = "on the laptop"}.record();
    record.header.started = "2026-11-30T09:45:40Z";
    EXPECT_EQ(pastRun(record, "run 7").header.title, "run 7 (on the laptop)");
    record.header.title.clear();
    const ComparedRuns past = pastRun(record, "h200.maskrun");
    EXPECT_EQ(past.header.title, "h200.maskrun (sdpa)");
    EXPECT_NE(circumstancesOf({past, past})[0].find("2026-11-30T09:45:40Z"), std::string::npos);
    EXPECT_NE(changeRequestOf({past, past}).find("Past runs"), std::string::npos);
}

TEST(ChangeRequest, KeepsAPairWithoutAResultApart) {
    const std::string text
        = changeRequestOf({repeated({.title = "sdpa"}, {8}), {failedRun().header, {failedRun()}}});
    EXPECT_NE(
        text.find("Without a result:\n\n- mha against sdpa: Nothing to compare"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("must agree to the bit"), std::string::npos);
}

TEST(SummaryJson, TellsFiguresAndVerdicts) {
    const auto json = summaryJson(mhaAgainstSdpa());
    EXPECT_EQ(json["event"], "summary");
    const auto& mha = json["configurations"][0];
    EXPECT_EQ(mha["extra_peak_bytes"]["mask"], 4000);
    EXPECT_EQ(mha["same_peaks_on_every_run"], true);
    EXPECT_EQ(mha["ms"]["mask"]["median"], 20);
    EXPECT_EQ(mha["ms"]["mask"]["high"], 30);
    EXPECT_EQ(json["comparisons"][0]["first"], "mha|<i>");
    EXPECT_EQ(json["comparisons"][0]["kind"], "path");
    EXPECT_EQ(json["comparisons"][0]["verdict"], "identical");
    EXPECT_EQ(json["comparisons"][0]["masks"][0]["iou"], 1);
}

/// A run over two ranks that held so much at most, and as much staging.
RunRecord ringRun(std::int64_t first, std::int64_t second, std::int64_t staging) {
    RunRecord run = SomeRun{.title = "ring", .path = AttentionPath::Ring, .peak = 5000}.record();
    auto report = std::make_shared<Report>(*reportOf(run));
    report->ranks = {{"cpu", first}, {"cpu", second}};
    run.events.back().payload = Done{report};
    for (const int rank : {0, 1}) {
        const Event told{1, 5, RankMeasured{{5, rank, rank == 0 ? first : second, staging}}};
        run.events.insert(run.events.begin(), told);
    }
    return run;
}

TEST(MemoryNote, SaysWhyARingCanNeedMoreInAll) {
    const RunRecord ring = ringRun(3 << 20, 2 << 20, 512 << 10);
    const std::vector<ComparedRuns> compared{
        repeated({.title = "sdpa", .peak = 4000}, {8}), {ring.header, {ring}}};
    const RankPeaks peaks = rankPeaksOf(ring);
    EXPECT_EQ(peaks.sum, 5 << 20);
    EXPECT_EQ(peaks.staging, 1 << 20);
    EXPECT_TRUE(rankPeaksOf(SomeRun{}.record()).bytes.empty());
    const std::vector<std::string> notes = memoryNotesOf(compared);
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_NE(notes[1].find("ring holds at most rank 0 3 MiB, rank 1 2 MiB, 5 MiB in all, of "
                            "which 1 MiB is staging"),
        std::string::npos)
        << notes[1];
    EXPECT_NE(notes[1].find("on one device with sdpa"), std::string::npos) << notes[1];
    const FiguresTable table = figuresOf(compared);
    EXPECT_EQ(rowOf(table, "peak of rank 1").cells, (std::vector<std::string>{"N/A", "2 MiB"}));
    EXPECT_EQ(rowOf(table, "sum of the ranks' peaks").cells[1], "5 MiB");
    const auto json = summaryJson(compared);
    EXPECT_EQ(json["configurations"][1]["ranks"]["sum_of_peaks_bytes"], 5 << 20);
    EXPECT_FALSE(json["configurations"][0].contains("ranks"));
}

TEST(MemoryNote, NamesTheStageThatDiffersAndTheRunsPeak) {
    const auto withVision = [](SomeRun some, std::int64_t vision, std::int64_t decode) {
        RunRecord run = some.record();
        auto report = std::make_shared<Report>(*reportOf(run));
        report->extraPeakBytes[Stage::Vision] = vision;
        report->extraPeakBytes[Stage::Decode] = decode;
        run.events.back().payload = Done{report};
        return ComparedRuns{run.header, {run}};
    };
    const ComparedRuns mha = withVision({.title = "mha", .peak = 4 << 20}, 9 << 20, 5 << 20);
    const ComparedRuns sdpa = withVision({.title = "sdpa", .peak = 2 << 20}, 9 << 20, 3 << 20);
    const auto change = largestChange(mha.first(), sdpa.first());
    ASSERT_TRUE(change);
    EXPECT_EQ(change->stage, Stage::Mask);
    EXPECT_EQ(memoryNotesOf({mha, sdpa})[0],
        "sdpa takes 2 MiB in the stage mask where mha takes 4 MiB: 2.0 x less; the peak of the "
        "whole "
        "run falls from 4 MiB to 2 MiB (2.0 x less); it takes 10 ms where mha takes 10 ms (the "
        "same).");
    EXPECT_NE(memoryNotesOf({mha, mha})[0].find("the same memory"), std::string::npos);
    const std::string text = changeRequestOf({mha, sdpa});
    EXPECT_NE(text.find("“mha” takes 4 MiB above its start in the stage mask"), std::string::npos)
        << text;
    EXPECT_NE(text.find("“sdpa” takes 2 MiB in that stage: 2.0 x less"), std::string::npos) << text;
    EXPECT_NE(changeRequestOf({mha, mha}).find("no stage takes more or less"), std::string::npos);
}

TEST(ResultJson, HoldsTheReportOrTheError) {
    EXPECT_EQ(resultJson(SomeRun{}.record(), 2)["result"]["patches"], 64);
    EXPECT_EQ(resultJson(SomeRun{}.record(), 2)["repeat"], 2);
    EXPECT_EQ(resultJson(failedRun(), 0)["error"]["kind"], "memory");
}

TEST(ChangeRequest, HasTheSixPartsAndNoMarkupOfOthers) {
    const std::string text = changeRequestOf(mhaAgainstSdpa());
    for (const char* heading : {"## Problem", "## Change", "## Measurement", "## Output comparison",
             "## Scope", "## Escape hatch"})
        EXPECT_NE(text.find(heading), std::string::npos) << heading;
    EXPECT_EQ(text.find("|<i>"), std::string::npos);
    EXPECT_NE(text.find("mha\\|\\<i>"), std::string::npos);
    EXPECT_NE(text.find("the attention of the mask decoder changes"), std::string::npos);
    // Figures can be pasted where nobody reads Markdown.
    EXPECT_NE(text.find("(4.0 x less)"), std::string::npos) << text;
}

TEST(ChangeRequest, NamesTheWayBackOfWhatDiffersAndHowToMeasureAgain) {
    const std::string path = changeRequestOf(mhaAgainstSdpa());
    EXPECT_NE(path.find("`MASKSCOPE_DECODER_ATTN=mha`"), std::string::npos) << path;
    EXPECT_EQ(path.find("`--kv-cache"), std::string::npos) << path;
    EXPECT_NE(path.find("```sh\nmaskscope-cli compare cat.png -p 'the <b>cat</b>' --config"),
        std::string::npos)
        << path;
    ComparedRuns uncached = repeated({.title = "sdpa,kv-cache=off"}, {8});
    auto report = std::make_shared<Report>(*reportOf(uncached.first()));
    report->kvCache = KvCacheMode::Off;
    uncached.runs[0].events.back().payload = Done{report};
    const std::string cache = changeRequestOf({repeated({.title = "sdpa"}, {8}), uncached});
    EXPECT_NE(cache.find("`--kv-cache on`"), std::string::npos) << cache;
    EXPECT_EQ(cache.find("MASKSCOPE_DECODER_ATTN"), std::string::npos) << cache;
    EXPECT_NE(cache.find("sdpa,kv-cache=off"), std::string::npos) << cache;
}

TEST(ChangeRequest, EscapesWhatWouldBeMarkupAndNothingElse) {
    const auto shown = [](const std::string& title) {
        const std::string text
            = changeRequestOf({repeated({.title = title}, {8}), repeated({.title = "sdpa"}, {8})});
        const auto begin = text.find("in place of “") + std::string("in place of “").size();
        return text.substr(begin, text.find("”", begin) - begin);
    };
    for (const char* same :
        {"lens-small, 12.5 (a_b) 7.6e-06 (1 x less)", "1.5 MiB", "a > b + c = d!"})
        EXPECT_EQ(shown(same), same);
    EXPECT_EQ(shown("1. *x* `y` [z](u) <b> &amp; ~~s~~"),
        "1\\. \\*x\\* \\`y\\` \\[z\\](u) \\<b> \\&amp; \\~\\~s\\~\\~");
    EXPECT_EQ(shown("- _x_ #12"), "\\- \\_x\\_ \\#12");
    EXPECT_EQ(shown("# a\n# b"), "\\# a # b");
}

TEST(ChangeRequest, SaysWhereNothingSpeaksForTheChange) {
    const char* doubt = "Neither memory nor time speaks for the change";
    EXPECT_EQ(changeRequestOf(mhaAgainstSdpa()).find(doubt), std::string::npos);
    const ComparedRuns sdpa = repeated({.title = "sdpa"}, {8});
    EXPECT_NE(changeRequestOf({sdpa, sdpa}).find(doubt), std::string::npos);
    const ComparedRuns faster = repeated({.title = "fast"}, {4});
    EXPECT_EQ(changeRequestOf({sdpa, faster}).find(doubt), std::string::npos);
    EXPECT_NE(changeRequestOf({faster, sdpa}).find(doubt), std::string::npos);
}

TEST(Command, SaysTheSameComparisonAgain) {
    std::vector<ComparedRuns> compared = mhaAgainstSdpa();
    RunHeader &mha = compared[0].header, &sdpa = compared[1].header;
    mha.settings.attention = AttentionPath::Mha;
    sdpa.settings.attention = AttentionPath::Ring;
    sdpa.settings.ringDevices = {"cpu", "cpu"};
    sdpa.settings.kvCache = KvCacheMode::Off;
    sdpa.settings.pixels = 1'000'000;
    for (RunHeader* header : {&mha, &sdpa}) {
        header->text = "it's \"this\"; rm";
        header->points = {{1.5, 2, PointSign::Negative}};
        header->boxes = {{1, 2, 3.25, 4}};
    }
    EXPECT_EQ(commandOf(compared),
        "maskscope-cli compare cat.png -p 'it'\\''s \"this\"; rm' --point 1.5,2,- --box 1,2,3.25,4"
        " --config mha --config ring,ring-devices=cpu+cpu,kv-cache=off,pixels=1000000 --repeats 3");
    sdpa.text = "something else";
    EXPECT_EQ(commandOf(compared), "");
}

TEST(MemoryDrawing, HasRoundTicksAndNamesThePeak) {
    SomeRun large{.title = "large", .peak = 700 << 20};
    const RunRecord run = large.record();
    const std::string svg = memoryDrawing({{run.header, {run}}, {run.header, {run}}});
    for (const char* text : {">0 bytes<", ">200 MiB<", ">600 MiB<", ">0 ms<", ">4 ms<", ">8 ms<"})
        EXPECT_NE(svg.find(text), std::string::npos) << text << svg;
    EXPECT_NE(svg.find("large: at most 700 MiB after 5.0 ms"), std::string::npos) << svg;
}

TEST(MemoryDrawing, DrawsOnePanelARunAndTheirDifference) {
    const std::string svg = memoryDrawing(mhaAgainstSdpa());
    EXPECT_NE(svg.find("mha|&lt;i&gt;"), std::string::npos);
    EXPECT_NE(svg.find("sdpa minus mha"), std::string::npos);
    EXPECT_NE(svg.find("mask decoder"), std::string::npos);
    EXPECT_EQ(svg.find("KV cache"), std::string::npos); // no run used it
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    // The highest sample of the first run is the top of the scale: the panel's upper edge at 30.
    EXPECT_NE(svg.find("V30H"), std::string::npos);
}

TEST(MemoryDrawing, DrawsRunsWithoutSamples) {
    const std::vector<ComparedRuns> compared{
        {failedRun().header, {failedRun()}}, {failedRun().header, {failedRun()}}};
    EXPECT_EQ(memoryDrawing(compared).find("nan"), std::string::npos);
}

TEST(MemoryDrawing, KeepsTheHighestOfEachStretch) {
    std::vector<MemorySample> samples(100);
    for (int i = 0; i < 100; ++i)
        samples[std::size_t(i)].live = i % 10 == 7 ? 1000 + i : i;
    const auto kept = thinned(samples, 10);
    ASSERT_EQ(kept.size(), 10U);
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_EQ(kept[i].live, 1007 + 10 * std::int64_t(i));
}

} // namespace
} // namespace maskscope
