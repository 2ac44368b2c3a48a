// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep_text.h"

#include "core/measure/published.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace maskscope {
namespace {

using Json = nlohmann::json;

/// Three sizes of sdpa, and mha that ended at the second one.
SweepRecord record() {
    SweepRecord record;
    record.plan.paths = {LayerPath::Mha, LayerPath::Sdpa};
    record.plan.patches = {2048, 1024, 1024};
    record.plan.point.shape.heads = 8;
    record.plan.point.shape.width = 512;
    record.points = {{LayerPath::Mha, 1024, {70'000'000, 72'000'000, 90'000'000, 70'000'001, 8, 2}},
        {LayerPath::Sdpa, 1024, {5'000'000, 7'000'000, {}, 5'000'002, 12.5, 2}},
        {LayerPath::Sdpa, 2048, {9'000'000, 13'000'000, {}, 9'000'003, 40, 2}},
        {LayerPath::Sdpa, 3072, {13'000'000, 19'000'000, {}, 13'000'003, 80, 2}}};
    record.ends = {{LayerPath::Mha, 2048, {ErrorKind::Memory, "It needs \"much\", more than is."}}};
    record.machine = "LibTorch 9, here";
    record.plan.point.threads = 2;
    record.predictions = {{LayerPath::Mha, 9000, 7'000, {}}, {LayerPath::Sdpa, 9000, 600, 500}};
    return record;
}

} // namespace

TEST(SweepText, TellsAPointAsTheCommandLineDoes) {
    const Json line = Json::parse(jsonLineOf(record().points[1]));
    EXPECT_EQ(line, Json::parse(R"({"event": "point", "path": "sdpa", "patches": 1024,
            "extra_peak_bytes": 5000000, "over_load_bytes": 7000000, "hwm_growth_bytes": null,
            "predicted_bytes": 5000002, "ms": 12.5})"));
}

TEST(SweepText, TellsThePeaksOfRanks) {
    SweepPoint point = record().points[1];
    EXPECT_FALSE(Json::parse(jsonLineOf(point)).contains("rank_peak_bytes"));
    point.figures.rankPeakBytes = {7, 5};
    EXPECT_EQ(Json::parse(jsonLineOf(point)).at("rank_peak_bytes"), (Json{7, 5}));
}

TEST(SweepText, BeginsWithWhatIsPlannedAndWhere) {
    const Json line = Json::parse(jsonLineOf(record()));
    EXPECT_EQ(line.at("event"), "sweep");
    EXPECT_EQ(line.at("machine"), "LibTorch 9, here");
    EXPECT_EQ(line.at("heads"), 8);
}

TEST(SweepText, WritesAWholeSweepAsOneJsonDocument) {
    const Json json = Json::parse(jsonOf(record()));
    EXPECT_EQ(json.at("sweep"),
        Json::parse(R"({"paths": ["mha", "sdpa"], "patches": [1024, 2048], "heads": 8, "dim": 512,
            "layers": 0, "dtype": "fp32", "threads": 2, "repeats": 3, "memory_limit_bytes": null,
            "preflight": true, "machine": "LibTorch 9, here"})"));
    EXPECT_EQ(json.at("points").size(), 4U);
    ASSERT_EQ(json.at("fits").size(), 1U); // mha has one size only, sdpa three: a line
    EXPECT_EQ(json.at("predictions")[1],
        Json::parse(R"({"event": "prediction", "path": "sdpa", "patches": 9000,
            "predicted_bytes": 600, "fitted_bytes": 500})"));
    EXPECT_NEAR(json.at("fits")[0].at("slope_per_1024"), 4'000'000, 1);
    EXPECT_EQ(json.at("ends")[0].at("message"), "It needs \"much\", more than is.");
}

TEST(SweepText, WritesATableThatSpreadsheetsRead) {
    EXPECT_EQ(csvOf(record()),
        "path,patches,heads,dim,layers,dtype,threads,extra_peak_bytes,predicted_bytes,"
        "over_load_bytes,hwm_growth_bytes,ms,message,fitted_bytes\r\n"
        "mha,1024,8,512,0,fp32,2,70000000,70000001,72000000,90000000,8,,\r\n"
        "sdpa,1024,8,512,0,fp32,2,5000000,5000002,7000000,,12.5,,\r\n"
        "sdpa,2048,8,512,0,fp32,2,9000000,9000003,13000000,,40,,\r\n"
        "sdpa,3072,8,512,0,fp32,2,13000000,13000003,19000000,,80,,\r\n"
        "mha,2048,8,512,0,fp32,,,,,,,\"It needs \"\"much\"\", more than is.\",\r\n"
        "mha,9000,8,512,0,fp32,2,,7000,,,,not run,\r\n"
        "sdpa,9000,8,512,0,fp32,2,,600,,,,not run,500\r\n");
}

TEST(Published, QuadraticRunsThroughTheFourFigures) {
    for (const PublishedFigure& figure : kPublishedFigures) {
        const double fitted = publishedFit().at(double(figure.patches)) / 1e9;
        EXPECT_NEAR(fitted, figure.mhaGb.value_or(fitted), 0.01) << figure.input;
    }
}

} // namespace maskscope
