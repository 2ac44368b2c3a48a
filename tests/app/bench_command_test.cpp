// SPDX-License-Identifier: GPL-3.0-or-later
// `bench` as a script sees it.
#include "tests/app/command_line.h"

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::Json;
using test::Outcome;

class BenchCommandLine : public test::CommandLine {
protected:
    static void expectSpread(const Json& spread) {
        EXPECT_GT(spread.at("low"), 0) << spread;
        EXPECT_LE(spread.at("low"), spread.at("median")) << spread;
        EXPECT_LE(spread.at("median"), spread.at("high")) << spread;
    }

    Outcome bench(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "bench");
        return run(arguments);
    }
};

} // namespace

TEST_F(BenchCommandLine, MeasuresTokensWithAndWithoutTheCache) {
    const fs::path plot = m_folder / "time.svg";
    const Outcome outcome = bench({"decode", "--positions", "16,64", "--repeats", "2", "--threads",
        "1", "--plot", plot, "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.events("token_cost").size(), 4U);
    EXPECT_EQ(outcome.events("summary").at(0).at("ratios").size(), 2U);
    EXPECT_EQ(test::contentOf(plot).find("<svg"), 0U);
}

TEST_F(BenchCommandLine, SaysOfWhatAndWhereTokensWereMeasured) {
    const Outcome outcome
        = bench({"decode", "--positions", "16", "--repeats", "1", "--threads", "1"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    for (const char* part : {"model lens-small, fp32, 1 thread, LibTorch ", "kept",
             "computing, MiB", "times as long without the cache"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
}

TEST_F(BenchCommandLine, MeasuresPromptsOverTheirLength) {
    const Outcome outcome
        = bench({"prefill", "--lengths", "256,16", "--repeats", "3", "--threads", "1", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto costs = outcome.events("prefill_cost");
    ASSERT_EQ(costs.size(), 2U);
    for (const Json& cost : costs) {
        expectSpread(cost.at("ms"));
        expectSpread(cost.at("next_token_ms"));
    }
    EXPECT_EQ(costs[0].at("length"), 16);
    EXPECT_GT(costs[1].at("extra_peak_bytes"), 8 * costs[0].at("extra_peak_bytes").get<int>());
    // 256 tokens at once are cheaper than one after the other.
    EXPECT_GT(costs[1].at("next_over_prompt"), 1);
    EXPECT_EQ(outcome.events("summary").at(0).at("ratios").size(), 2U);
}

TEST_F(BenchCommandLine, MeasuresTheMaskDecoderOnEachPath) {
    const Outcome outcome = bench({"decoder", "--patches", "384", "--paths", "mha,sdpa,flash",
        "--repeats", "2", "--threads", "2", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto costs = outcome.events("decoder_cost");
    ASSERT_EQ(costs.size(), 3U);
    for (const Json& cost : costs) {
        expectSpread(cost.at("ms"));
        EXPECT_EQ(cost.at("patches"), 384);
        EXPECT_NEAR(cost.at("time_over_first").get<double>(),
            cost.at("ms").at("median").get<double>() / costs[0].at("ms").at("median").get<double>(),
            1e-9);
    }
    EXPECT_EQ(costs[0].at("time_over_first"), 1);
    EXPECT_EQ(costs[1].at("path"), "sdpa");
    EXPECT_LT(costs[1].at("bytes_over_first"), 1);
}

TEST_F(BenchCommandLine, MeasuresPicturesOfBothKinds) {
    const Outcome outcome = bench({"image", "--repeats", "2", "--pixels", "65536", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto costs = outcome.events("image_cost");
    ASSERT_EQ(costs.size(), 2U);
    for (const Json& cost : costs) {
        expectSpread(cost.at("decode_ms"));
        expectSpread(cost.at("prepare_ms"));
        EXPECT_GT(cost.at("decode_megapixels_per_s"), 0);
        EXPECT_GT(cost.at("prepare_over_decode"), 0);
        EXPECT_LE(cost.at("seen_pixels"), 65536);
    }
    EXPECT_EQ(fs::path(costs[0].at("file").get<std::string>()).extension(), ".jpg");
    EXPECT_EQ(fs::path(costs[1].at("file").get<std::string>()).extension(), ".png");
}

TEST_F(BenchCommandLine, MeasuresTheWayToTheFirstMask) {
    const Outcome outcome
        = bench({"startup", "--repeats", "2", "--warm-ups", "0", "--threads", "2", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto costs = outcome.events("startup_cost");
    ASSERT_EQ(costs.size(), 3U);
    for (const Json& cost : costs)
        expectSpread(cost.at("ms"));
    // Of one process; the program that does nothing is another, which others may keep waiting.
    EXPECT_GT(costs[2].at("ms").at("median"), costs[1].at("ms").at("median"));
    EXPECT_EQ(costs[0].at("until"), "program");
    EXPECT_EQ(costs[0].at("over_program"), 1);
    EXPECT_EQ(costs[2].at("until"), "first_mask");
}

TEST_F(BenchCommandLine, MeasuresWhatWatchingARunTakes) {
    const Outcome outcome = bench({"telemetry", "--repeats", "2", "--threads", "2", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto costs = outcome.events("telemetry_cost");
    ASSERT_EQ(costs.size(), 2U);
    for (const Json& cost : costs) {
        EXPECT_GT(cost.at("sampler_ms"), 0);
        EXPECT_GT(cost.at("sink_ms"), 0);
        EXPECT_NEAR(cost.at("share").get<double>(),
            (cost.at("sampler_ms").get<double>() + cost.at("sink_ms").get<double>())
                / cost.at("run_ms").get<double>(),
            1e-9);
    }
    EXPECT_LT(outcome.events("summary").at(0).at("share").at("median"), 1);
}

TEST_F(BenchCommandLine, PrintsTablesForPeople) {
    const Outcome outcome = bench({"prefill", "--lengths", "16", "--repeats", "1"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("tokens/s"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\n      16 "), std::string::npos) << outcome.out;
}

TEST_F(BenchCommandLine, ComparesWaysToShareAttentionOverRanks) {
    const fs::path trace = m_folder / "trace.json";
    const Outcome outcome = bench({"ring", "--patches", "96", "--heads", "4", "--head-dim", "32",
        "--ranks", "2", "--link", "1", "--repeats", "2", "--trace", trace, "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const Json cost = outcome.events("ring_cost").at(0);
    expectSpread(cost.at("t1_ms"));
    expectSpread(cost.at("tn_ms"));
    EXPECT_EQ(cost.at("ranks"), 2);
    EXPECT_EQ(cost.at("link").at("limit_gb_per_s"), 1);
    EXPECT_EQ(cost.at("strategies").size(), 3U);
    const std::vector<std::string> verdicts{"right", "tie", "WRONG"};
    EXPECT_TRUE(std::ranges::count(verdicts, cost.at("verdict").get<std::string>()));
    EXPECT_FALSE(Json::parse(test::contentOf(trace)).at("traceEvents").empty());
    expectOneSentence(bench({"ring", "--trace", trace}), 3);
}

TEST_F(BenchCommandLine, CountsHowOftenTheRecommendationWins) {
    const std::vector<std::string> grid{"ring", "--grid", "--patches", "32,64", "--heads", "4",
        "--head-dim", "16", "--ranks", "2", "--link", "1,57", "--repeats", "2"};
    const Outcome text = bench(grid);
    ASSERT_EQ(text.exitCode, 0) << text.err;
    EXPECT_NE(text.out.find(" of 4 ("), std::string::npos) << text.out;
    std::vector<std::string> withJson = grid;
    withJson.emplace_back("--json");
    const Outcome outcome = bench(withJson);
    EXPECT_EQ(outcome.events("ring_cost").size(), 4U);
    const Json summary = outcome.events("summary").at(0);
    EXPECT_EQ(summary.at("points"), 4);
    EXPECT_LE(summary.at("ties"), summary.at("right"));
}

TEST_F(BenchCommandLine, AnswersWrongUseWithOneSentenceAndNoHeading) {
    for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{{}, {"fast"},
             {"decode", "--positions", "0"}, {"decode", "--positions", "100000"},
             {"decode", "--preset", "nanovlm-222m", "--model", "x"}, {"prefill", "--lengths", "0"},
             {"prefill", "--lengths", "100000"}, {"decoder", "--patches", "7"},
             {"decoder", "--paths", "magic"}, {"image", "--pixels", "many"},
             {"startup", "--repeats", "0"}, {"ring", "--ranks", "1"}, {"ring", "--link", "0.001"},
             {"ring", "--patches", "64,128"}, {"ring", "--ranks", "2", "--ulysses", "3"},
             {"ring", "--ranks", "2", "--ring-devices", "cpu,cpu"},
             {"ring", "--grid", "--trace", "trace.json"}}) {
        const Outcome outcome = bench(call);
        expectOneSentence(outcome, 2);
        EXPECT_EQ(outcome.out, "");
    }
    expectOneSentence(bench({"image", (m_folder / "none.jpg").string()}), 3);
    expectOneSentence(bench({"startup", (m_folder / "none.jpg").string()}), 3);
    expectOneSentence(bench({"decoder", "--model", (m_folder / "none").string()}), 4);
    expectOneSentence(bench({"decode", "--plot", (m_folder / "missing" / "time.svg").string()}), 3);
}

} // namespace maskscope
