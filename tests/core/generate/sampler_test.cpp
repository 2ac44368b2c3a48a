// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/sampler.h"

#include "core/base/error.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace maskscope {
namespace {

using Json = nlohmann::json;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const std::vector<float> kLogits{2.0F, 1.0F, 0.5F, -0.5F, -3.0F};

std::vector<float> logitsOf(const Json& entry) {
    const Json& logits = entry.at("logits");
    if (logits.is_object())
        return std::vector<float>(logits.at("n").get<std::size_t>(), logits.at("fill"));
    return logits.get<std::vector<float>>();
}

Sampling samplingOf(const Json& entry) {
    Sampling sampling;
    sampling.temperature = entry.value("temperature", 1.0);
    sampling.topK = entry.value("top_k", 0);
    sampling.topP = entry.value("top_p", 1.0);
    sampling.seed = 1;
    return sampling;
}

std::vector<int> drawn(const Sampling& sampling, std::size_t count) {
    Sampler sampler(sampling);
    std::vector<int> tokens(count);
    std::ranges::generate(tokens, [&] { return sampler.next(kLogits); });
    return tokens;
}

TEST(Sampler, KeepsTheTokensOfEveryCase) {
    int seen = 0;
    const auto file
        = Json::parse(test::contentOf(MASKSCOPE_TEST_DATA "/cases/sampling/expected.json"));
    for (const Json& entry : file.at("cases")) {
        const bool hasSurvivors = entry.contains("expect_survivors");
        const bool hasToken = entry.contains("expect_token") && entry.at("k") != "plus_inf";
        if (!hasSurvivors && !hasToken)
            continue;
        SCOPED_TRACE(entry.dump());
        const auto kept = candidates(logitsOf(entry), samplingOf(entry), 1);
        std::vector<int> ids;
        for (const Candidate& candidate : kept)
            ids.push_back(candidate.id);
        std::ranges::sort(ids);
        if (hasSurvivors)
            EXPECT_EQ(ids, entry.at("expect_survivors").get<std::vector<int>>());
        else
            EXPECT_EQ(Sampler(samplingOf(entry)).next(logitsOf(entry)), entry.at("expect_token"));
        ++seen;
    }
    EXPECT_EQ(seen, 8);
}

TEST(Sampler, ProbabilitiesAreTheSoftmax) {
    // float64 softmax of kLogits, from tests/cases/sampling/expected.json
    const std::vector<double> expected{0.595297, 0.218998, 0.132829, 0.048865, 0.004011};
    const auto all = candidates(kLogits, {1.0, 0, 1.0, {}}, 1);
    ASSERT_EQ(all.size(), expected.size());
    for (const Candidate& candidate : all)
        EXPECT_NEAR(candidate.probability, expected[std::size_t(candidate.id)], 1e-6);

    const auto two = candidates(kLogits, {1.0, 2, 1.0, {}}, 1);
    ASSERT_EQ(two.size(), 2U);
    EXPECT_NEAR(two[0].probability, expected[0] / (expected[0] + expected[1]), 1e-6);
}

TEST(Sampler, TopPIsMeasuredAmongTheTopK) {
    // Of tokens 0, 1, 2 alone token 0 has 0.595 / 0.947 = 0.628.
    EXPECT_EQ(candidates(kLogits, {1.0, 3, 0.62, {}}, 1).size(), 1U);
    EXPECT_EQ(candidates(kLogits, {1.0, 0, 0.62, {}}, 1).size(), 2U);
}

TEST(Sampler, AFlatDistributionIsNotRoundedAway) {
    const std::vector<float> flat(4096, 0.0F);
    EXPECT_EQ(candidates(flat, {1.0, 0, 0.001, {}}, 1).size(), 5U);
}

TEST(Sampler, EqualLogitsGiveTheFirstToken) {
    const std::vector<float> flat(7, 1.5F);
    EXPECT_EQ(Sampler({}).next(flat), 0);
    EXPECT_EQ(candidates(flat, {1.0, 1, 1.0, {}}, 1).front().id, 0);
    EXPECT_EQ(candidates(flat, {1.0, 0, 0.0, {}}, 1).front().id, 0);
}

TEST(Sampler, TheSameSeedGivesTheSameTokens) {
    const Sampling sampling{1.0, 0, 1.0, 42};
    const auto first = drawn(sampling, 200);
    for (int run = 0; run < 4; ++run)
        EXPECT_EQ(drawn(sampling, 200), first);
    EXPECT_NE(drawn({1.0, 0, 1.0, 43}, 200), first);
    EXPECT_EQ(Sampler(sampling).seed(), 42U);
}

// From tests/golden/sampler_draws.py, which has the generator written out.
TEST(Sampler, DrawsAreTheSameOnEveryPlatform) {
    EXPECT_EQ(drawn({1.0, 0, 1.0, 42}, 16),
        (std::vector<int>{1, 1, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2}));
}

TEST(Sampler, TemperatureOneDraws) {
    std::set<int> tokens;
    for (std::uint64_t seed = 0; seed < 64; ++seed)
        tokens.insert(Sampler({1.0, 0, 1.0, seed}).next(std::vector<float>{0, 0}));
    EXPECT_EQ(tokens.size(), 2U);
}

TEST(Sampler, FrequenciesFollowTheProbabilities) {
    std::map<int, int> counts;
    for (const int token : drawn({1.0, 0, 1.0, 7}, 20000))
        ++counts[token];
    EXPECT_NEAR(counts[0] / 20000.0, 0.5953, 0.015); // more than 4 standard deviations
    EXPECT_NEAR(counts[1] / 20000.0, 0.2190, 0.012);
    EXPECT_NEAR(counts[4] / 20000.0, 0.0040, 0.002);
}

TEST(Sampler, ChoosesASeedWhenNoneIsGiven) {
    const Sampler one({1.0, 0, 1.0, {}});
    const Sampler two({1.0, 0, 1.0, {}});
    EXPECT_NE(one.seed(), two.seed());
    EXPECT_EQ(drawn({1.0, 0, 1.0, one.seed()}, 50), drawn({1.0, 0, 1.0, one.seed()}, 50));
}

TEST(Sampler, InvalidNumbersNameTheToken) {
    for (const double temperature : {0.0, 1.0}) {
        for (const std::vector<float>& bad : {std::vector<float>{1, kNan, 0},
                 std::vector<float>{kNan, kNan}, std::vector<float>{1, kInfinity},
                 std::vector<float>{-kInfinity, -kInfinity}, std::vector<float>{}}) {
            Sampler sampler({temperature, 0, 0.9, 1});
            sampler.next(kLogits);
            sampler.next(kLogits);
            try {
                sampler.next(bad);
                FAIL() << "accepted";
            } catch (const Failure& failure) {
                EXPECT_EQ(failure.kind(), ErrorKind::Model);
                EXPECT_NE(failure.error().sentence.find("at token 3 "), std::string::npos);
            }
        }
    }
}

TEST(Sampler, MinusInfinityIsNeverDrawn) {
    const std::vector<float> logits{-kInfinity, 0, -kInfinity};
    for (std::uint64_t seed = 0; seed < 64; ++seed)
        EXPECT_EQ(Sampler({100.0, 0, 1.0, seed}).next(logits), 1);
}

TEST(Sampler, RefusesParametersThatCannotBeMeant) {
    const auto refuse = [](const Sampling& sampling, const std::string& word) {
        try {
            checkSampling(sampling);
            FAIL() << "accepted; should name " << word;
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Usage);
            EXPECT_NE(failure.error().sentence.find(word), std::string::npos);
        }
        EXPECT_THROW(Sampler{sampling}, Failure);
    };
    refuse({std::numeric_limits<double>::quiet_NaN(), 0, 1.0, {}}, "nan");
    refuse({std::numeric_limits<double>::infinity(), 0, 1.0, {}}, "inf");
    refuse({-0.5, 0, 1.0, {}}, "temperature");
    refuse({1.0, -1, 1.0, {}}, "-1");
    refuse({1.0, 0, 1.5, {}}, "1.5");
    refuse({1.0, 0, -0.1, {}}, "top-p");
    refuse({1.0, 0, std::numeric_limits<double>::quiet_NaN(), {}}, "top-p");
    EXPECT_NO_THROW(checkSampling({1e300, 999, 0, 1}));
    EXPECT_EQ(Sampler({1e-320, 0, 1.0, 1}).next(kLogits), 0);
}

} // namespace
} // namespace maskscope
