// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/engine/event_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace maskscope {
namespace {

using Json = nlohmann::ordered_json;

TEST(EventJson, WritesStages) {
    EXPECT_EQ(lineOf(jsonOf(Event{1, 2.5, StageBegan{Stage::Vision}}, 0)),
        R"({"event":"stage","t_ms":2.5,"stage":"vision","phase":"begin"})");
    EXPECT_EQ(lineOf(jsonOf(Event{1, 3, StageEnded{Stage::Mask, 1.25, 4096, 8192}}, 0)),
        R"({"event":"stage","t_ms":3.0,"stage":"mask","phase":"end","ms":1.25,)"
        R"("extra_peak_bytes":4096,"live_bytes":8192})");
}

TEST(EventJson, WritesMasksAsCompressedRle) {
    auto mask = std::make_shared<Mask>();
    mask->width = 3;
    mask->height = 2;
    mask->bits = {0, 1, 0, 0, 1, 0}; // the middle column
    mask->label = "a \"cat\"";
    mask->score = 0.5F;
    mask->area = 2;
    mask->bbox = {1, 0, 1, 2};
    mask->index = 4;
    mask->tokenIndex = 7;
    const Json json = jsonOf(Event{1, 0, MaskProduced{mask}}, 2);
    EXPECT_EQ(json["image"], 2);
    EXPECT_EQ(json["index"], 4);
    EXPECT_EQ(json["token_index"], 7);
    EXPECT_EQ(json["label"], "a \"cat\"");
    EXPECT_EQ(json["area"], 2);
    EXPECT_EQ(json["bbox"], Json::array({1, 0, 1, 2}));
    EXPECT_EQ(json["rle"]["size"], Json::array({2, 3}));
    // Runs 2, 2, 2 down the columns; each is one character, its value plus 48.
    EXPECT_EQ(json["rle"]["counts"], "222");
}

TEST(EventJson, WritesWhatIsNotAvailableAsNull) {
    MemorySample sample;
    sample.live = 10;
    sample.byCategory[std::size_t(MemoryCategory::KvCache)] = 10;
    const Json json = jsonOf(Event{1, 0, MemoryMeasured{sample}}, 0);
    EXPECT_TRUE(json["reserved"].is_null());
    EXPECT_TRUE(json["process"].is_null());
    EXPECT_TRUE(json["device_total"].is_null());
    EXPECT_EQ(json["by_category"]["kv_cache"], 10);
    EXPECT_EQ(json["by_category"]["ring_staging"], 0);
}

TEST(EventJson, WritesTheReport) {
    auto report = std::make_shared<Report>();
    report->outcome = Outcome::Cancelled;
    report->answer = "the cat : <|mask|>";
    report->tokens = {5, 6};
    report->attention = {AttentionPath::Flash, AttentionPath::Sdpa, "no kernel"};
    report->extraPeakBytes[Stage::Mask] = 12;
    report->ms[Stage::Decode] = 1.0005;
    report->seed = 18446744073709551615ULL;
    const Json json = jsonOf(Event{1, 0, Done{report}}, 1);
    EXPECT_EQ(json["event"], "done");
    EXPECT_EQ(json["image"], 1);
    EXPECT_EQ(json["outcome"], "cancelled");
    EXPECT_EQ(json["attention"]["requested"], "flash");
    EXPECT_EQ(json["attention"]["used"], "sdpa");
    EXPECT_EQ(json["attention"]["reason"], "no kernel");
    EXPECT_EQ(json["extra_peak_bytes"]["mask"], 12);
    EXPECT_EQ(json["seed"], 18446744073709551615ULL);
    EXPECT_EQ(json["kv_cache"], "on");
}

TEST(EventJson, ProgressHasNoLine) {
    EXPECT_TRUE(jsonOf(Event{1, 0, StageProgress{Stage::Decode, 0.5}}, 0).is_null());
}

TEST(EventJson, ReplacesBytesThatAreNotText) {
    const Error error{ErrorKind::Input, "bad\xFF.png cannot be read."};
    const Json json = Json::parse(lineOf(jsonOf(error)));
    EXPECT_EQ(json["kind"], "input");
    EXPECT_EQ(json["message"], "bad\xEF\xBF\xBD.png cannot be read.");
}

} // namespace
} // namespace maskscope
