// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_record.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

MemorySample sample(double tMs, std::int64_t live) {
    MemorySample memory;
    memory.tMs = tMs;
    memory.live = live;
    memory.byCategory[std::size_t(MemoryCategory::Other)] = live;
    return memory;
}

RunRecord someRun() {
    RunRecord record;
    record.header.title = "mha, <b>";
    record.header.started = "2026-11-30T09:45:40Z";
    record.header.image = {"a \"cat\".jpg", 640, 480, "0123456789abcdef"};
    record.header.text = "the cat\n<|mask|>";
    record.header.points = {{1.5, 2.5, PointSign::Negative}};
    record.header.boxes = {{1, 2, 3.25, 4}};
    record.header.settings.attention = AttentionPath::Mha;
    record.header.settings.ringDevices = {"cpu", "cuda:1"};
    record.header.modelDigest = "00112233";
    record.header.settings.kvCache = KvCacheMode::Off;
    record.header.settings.precision = Precision::BFloat16;
    record.header.settings.sampling.seed = 18446744073709551615ULL;
    record.header.settings.memoryLimit = 1 << 30;
    auto report = std::make_shared<Report>();
    report->tokens = {4, 5};
    record.events = {{1, 0, StageBegan{Stage::Decode}}, {1, 0, MemoryMeasured{sample(0, 100)}},
        {1, 4, TokenProduced{4, "the", 0, false}}, {1, 5, MemoryMeasured{sample(5, 350)}},
        {1, 5, RankMeasured{{5, 1, 60, 20}}}, {1, 5, RankMeasured{{4, 1, 50, 10}}},
        {1, 6, TokenProduced{5, " cat", 1, false}}, {1, 7, MemoryMeasured{sample(7, 120)}},
        {1, 8, StageEnded{Stage::Decode, 8, 250, 120}}, {1, 9, Done{report}}};
    return record;
}

std::string refusal(std::string_view lines) {
    try {
        (void)runRecordFrom(lines, "cat.jsonl");
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.error().sentence;
    }
    return {};
}

TEST(RunRecord, ComesBackFromItsLines) {
    const RunRecord run = someRun();
    const RunRecord back = runRecordFrom(linesOf(run), "cat.jsonl");
    EXPECT_EQ(linesOf(back), linesOf(run));
    EXPECT_EQ(back.header.title, "mha, <b>");
    EXPECT_EQ(back.header.modelDigest, "00112233");
    const auto ranks = rankMemoryOf(back);
    ASSERT_EQ(ranks.size(), 1U);
    EXPECT_EQ(ranks.at(1).front().live, 50);
    EXPECT_EQ(ranks.at(1).back().staging, 20);
    EXPECT_EQ(back.header.text, "the cat\n<|mask|>");
    EXPECT_EQ(back.header.points, run.header.points);
    EXPECT_EQ(back.header.boxes, run.header.boxes);
    EXPECT_EQ(back.header.settings.attention, AttentionPath::Mha);
    EXPECT_EQ(back.header.settings.ringDevices, (std::vector<std::string>{"cpu", "cuda:1"}));
    EXPECT_EQ(back.header.settings.kvCache, KvCacheMode::Off);
    EXPECT_EQ(back.header.settings.sampling.seed, 18446744073709551615ULL);
    EXPECT_EQ(back.header.settings.memoryLimit, 1 << 30);
    EXPECT_EQ(back.header.image.digest, "0123456789abcdef");
    EXPECT_EQ(back.events.size(), run.events.size());
}

TEST(RunRecord, SaysWhatHappenedWhen) {
    const RunRecord run = someRun();
    ASSERT_NE(reportOf(run), nullptr);
    EXPECT_EQ(reportOf(run)->tokens.size(), 2);
    EXPECT_EQ(errorOf(run), nullptr);
    EXPECT_EQ(tokenTimesOf(run), (std::vector<double>{4, 6}));
    EXPECT_EQ(extraPeakOf(run), 250);
    const auto stages = stagesOf(run);
    ASSERT_EQ(stages.size(), 1);
    EXPECT_EQ(stages.front().beginMs, 0);
    EXPECT_EQ(stages.front().endMs, 8);
}

TEST(RunRecord, KeepsWhatARunThatFailedWas) {
    RunRecord run = someRun();
    run.events.back() = {1, 9, Failed{{ErrorKind::Memory, "Too much."}}};
    const RunRecord back = runRecordFrom(linesOf(run), "cat.jsonl");
    ASSERT_NE(errorOf(back), nullptr);
    EXPECT_EQ(errorOf(back)->kind, ErrorKind::Memory);
    EXPECT_EQ(reportOf(back), nullptr);
}

TEST(RunRecord, RefusesFilesThatAreNoRun) {
    EXPECT_NE(refusal("").find("cat.jsonl, line 1"), std::string::npos);
    EXPECT_NE(
        refusal("{\"event\":\"done\"}").find("not the beginning of a run"), std::string::npos);
    const auto changed = [](const std::string& what, const std::string& with) {
        std::string lines = linesOf(someRun());
        return lines.replace(lines.find(what), what.size(), with);
    };
    EXPECT_EQ(refusal(changed("\"device\":\"cpu\"", "\"device\":null")),
        "cat.jsonl, line 1 cannot be read: its \"device\" is no text.");
    EXPECT_EQ(refusal(changed("\"size\":[640,480]", "\"size\":[640]")),
        "cat.jsonl, line 1 cannot be read: its \"image.size\" is no list of 2.");
    EXPECT_EQ(refusal(changed("\"meaning\":", "\"sense\":")),
        "cat.jsonl, line 1 cannot be read: it has no \"request.meaning\".");
    EXPECT_EQ(refusal(changed("\"seed\":18446744073709551615", "\"seed\":-1")),
        "cat.jsonl, line 1 cannot be read: its \"settings.seed\" is no whole number from 0 to "
        "18446744073709551615.");
    EXPECT_EQ(refusal(changed("\"live\":350", "\"live\":\"350\"")),
        "cat.jsonl, line 5 is not an event: its \"live\" is no whole number from "
        "-9223372036854775808 to 9223372036854775807.");
    std::string later = linesOf(someRun());
    later.replace(later.find("\"format\":1"), 10, "\"format\":9");
    EXPECT_NE(refusal(later).find("format 9 of a later program"), std::string::npos);
    std::string broken = linesOf(someRun());
    broken.replace(broken.find("\"token\""), 7, "\"token\",");
    EXPECT_NE(refusal(broken).find("cat.jsonl, line 4"), std::string::npos);
}

} // namespace
} // namespace maskscope
