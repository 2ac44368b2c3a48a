// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/figures_table.h"
#include "core/compare/memory_drawing.h"
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
    EXPECT_NE(rowOf(table, "extra peak, mask").cells[1].find("(0.250 x)"), std::string::npos);
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
    EXPECT_EQ(text.find("<i>"), std::string::npos);
    EXPECT_NE(text.find("mha\\|\\<i\\>"), std::string::npos);
    EXPECT_NE(text.find("the attention of the mask decoder changes"), std::string::npos);
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
