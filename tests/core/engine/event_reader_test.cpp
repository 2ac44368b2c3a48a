// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/event_reader.h"

#include "core/base/error.h"
#include "core/engine/event_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace maskscope {
namespace {

Event sentThroughJson(EventReader& reader, const Event& event) {
    return reader.read(lineOf(jsonOf(event, 0)), event.request).value();
}

std::string refusal(std::string_view line) {
    try {
        EventReader("run.jsonl").read(line);
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.error().sentence;
    }
    return {};
}

std::shared_ptr<const Mask> middleColumn() {
    auto mask = std::make_shared<Mask>();
    mask->width = 3;
    mask->height = 2;
    mask->bits = {0, 1, 0, 0, 1, 0};
    mask->label = "a \"cat\"";
    mask->score = 0.5F;
    mask->area = 2;
    mask->bbox = {1, 0, 1, 2};
    mask->index = 4;
    mask->tokenIndex = 7;
    return mask;
}

TEST(EventReader, GivesStagesAndTokensBack) {
    EventReader reader("child");
    const auto began = sentThroughJson(reader, {3, 2.5, StageBegan{Stage::Vision}});
    EXPECT_EQ(began.request, 3);
    EXPECT_EQ(began.tMs, 2.5);
    EXPECT_EQ(std::get<StageBegan>(began.payload).stage, Stage::Vision);
    const auto ended = std::get<StageEnded>(
        sentThroughJson(reader, {3, 3, StageEnded{Stage::Mask, 1.25, 4096, 8192}}).payload);
    EXPECT_EQ(ended.extraPeakBytes, 4096);
    EXPECT_EQ(ended.liveBytes, 8192);
    const auto token = std::get<TokenProduced>(
        sentThroughJson(reader, {3, 4, TokenProduced{17, "고양이", 2, true}}).payload);
    EXPECT_EQ(token.id, 17);
    EXPECT_EQ(token.text, "고양이");
    EXPECT_TRUE(token.isMask);
}

TEST(EventReader, GivesMasksBackToTheReport) {
    EventReader reader("child");
    const auto sent = middleColumn();
    const auto got
        = std::get<MaskProduced>(sentThroughJson(reader, {1, 0, MaskProduced{sent}}).payload).mask;
    EXPECT_EQ(got->bits, sent->bits);
    EXPECT_EQ(got->label, sent->label);
    EXPECT_EQ(got->area, 2);
    EXPECT_EQ(got->bbox, sent->bbox);
    EXPECT_EQ(got->tokenIndex, 7);
    auto report = std::make_shared<Report>();
    report->answer = "the cat : <|mask|>";
    report->tokens = {5, 6};
    report->masks = {sent};
    report->candidates = {sent};
    report->attention = {AttentionPath::Flash, AttentionPath::Sdpa, "no kernel"};
    report->kvCache = KvCacheMode::Off;
    report->precision = Precision::BFloat16;
    report->extraPeakBytes[Stage::Mask] = 12;
    report->predictedExtraPeakBytes[Stage::Mask] = 13;
    report->ranks = {{"cpu", 14}, {"cuda:0", 15}};
    report->ms[Stage::Decode] = 1.5;
    report->seed = 18446744073709551615ULL;
    const auto back = std::get<Done>(sentThroughJson(reader, {1, 9, Done{report}}).payload).report;
    ASSERT_EQ(back->masks.size(), 1);
    EXPECT_EQ(back->masks.front(), got);
    EXPECT_EQ(back->candidates.size(), 1);
    EXPECT_EQ(back->tokens, report->tokens);
    EXPECT_EQ(back->attention.reason, "no kernel");
    EXPECT_EQ(back->kvCache, KvCacheMode::Off);
    EXPECT_EQ(back->precision, Precision::BFloat16);
    EXPECT_EQ(back->extraPeakBytes, report->extraPeakBytes);
    EXPECT_EQ(back->predictedExtraPeakBytes, report->predictedExtraPeakBytes);
    EXPECT_EQ(back->ranks, report->ranks);
    EXPECT_EQ(back->ms, report->ms);
    EXPECT_EQ(back->seed, report->seed);
}

TEST(EventReader, GivesNumbersBackBitByBit) {
    EventReader reader("child");
    const std::vector<float> values{1.5F, -3.25e-30F, 0.1F, 7, 8, -0.0F};
    const LogitsProduced sent{
        LogitsOf::Mask, 2, 3, 2, "00ff", std::make_shared<const std::vector<float>>(values)};
    const auto back = std::get<LogitsProduced>(sentThroughJson(reader, {1, 0, sent}).payload);
    EXPECT_EQ(back.of, LogitsOf::Mask);
    EXPECT_EQ(back.width, 3);
    EXPECT_EQ(back.height, 2);
    EXPECT_EQ(*back.values, values);
    EXPECT_EQ(back.digest, "00ff");
}

TEST(EventReader, GivesMemoryBackWithWhatIsNotAvailable) {
    EventReader reader("child");
    MemorySample sample;
    sample.live = 10;
    sample.byCategory[std::size_t(MemoryCategory::KvCache)] = 10;
    sample.process = 99;
    sample.tMs = 6.5;
    const auto back
        = std::get<MemoryMeasured>(sentThroughJson(reader, {1, 40, MemoryMeasured{sample}}).payload)
              .sample;
    EXPECT_EQ(back.byCategory, sample.byCategory);
    EXPECT_EQ(back.process, 99);
    EXPECT_EQ(back.deviceTotal, std::nullopt);
    EXPECT_EQ(back.tMs, 6.5);
}

TEST(EventReader, GivesTheMemoryOfARankBack) {
    EventReader reader("child");
    const auto back = std::get<RankMeasured>(
        sentThroughJson(reader, {1, 40, RankMeasured{{6.5, 3, 700, 200}}}).payload)
                          .sample;
    EXPECT_EQ(back.tMs, 6.5);
    EXPECT_EQ(back.rank, 3);
    EXPECT_EQ(back.live, 700);
    EXPECT_EQ(back.staging, 200);
    for (const char* rank : {"-1", "64", "9999999999999"})
        EXPECT_THROW(reader.read(R"({"event":"rank_memory","t_ms":1,"live":1,"staging":0,"rank":)"
                         + std::string(rank) + "}"),
            Failure);
}

TEST(EventReader, PassesOverWhatItDoesNotKnow) {
    EventReader reader("run.jsonl");
    EXPECT_FALSE(reader.read(""));
    EXPECT_FALSE(reader.read(R"({"event":"of a later version","t_ms":0})"));
}

TEST(EventReader, SaysWhichLineCannotBeRead) {
    EXPECT_NE(refusal("{").find("run.jsonl, line 1"), std::string::npos);
    EXPECT_EQ(refusal(R"({"event":"token","id":1,"text":null})"),
        "run.jsonl, line 1 is not an event: its \"text\" is no text.");
    EXPECT_EQ(refusal(R"({"event":"done","outcome":"finished"})"),
        "run.jsonl, line 1 is not an event: it has no \"answer\".");
    EXPECT_NE(refusal(R"({"event":"stage","stage":"lunch","phase":"begin"})").find("\"lunch\""),
        std::string::npos);
    EXPECT_NE(
        refusal(
            R"({"event":"logits","of":"mask","index":0,"size":[100000,100000],"digest":"","values":"AAAA"})")
            .find("10000000000 numbers"),
        std::string::npos);
    EXPECT_NE(refusal("[1]"), "");
}

} // namespace
} // namespace maskscope
