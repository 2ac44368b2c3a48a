// SPDX-License-Identifier: GPL-3.0-or-later
// What prompts, the mask decoder and pictures cost.
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/measure/decoder_cost.h"
#include "core/measure/image_cost.h"
#include "core/measure/prefill_cost.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

PrefillPlan smallPrefill(std::vector<std::int64_t> lengths) {
    LanguageConfig config;
    config.vocabulary = 300;
    config.mostPositions = 300;
    PrefillPlan plan;
    plan.model = config;
    plan.lengths = std::move(lengths);
    plan.threads = 1;
    plan.repeats = {0, 3};
    return plan;
}

TEST(PrefillCost, HoldsTheWholePromptAgainstOneToken) {
    std::vector<PrefillCost> told;
    const auto costs = measurePrefill(
        smallPrefill({16, 128}), [&](const PrefillCost& cost) { told.push_back(cost); }, {});
    ASSERT_EQ(costs.size(), 2U);
    ASSERT_EQ(told.size(), 2U);
    for (const PrefillCost& cost : costs) {
        EXPECT_GT(cost.ms.low, 0);
        EXPECT_LE(cost.ms.median, cost.ms.high);
        EXPECT_GT(cost.nextMs.low, 0);
        EXPECT_DOUBLE_EQ(
            cost.nextOverPrompt(), cost.nextMs.median * double(cost.length) / cost.ms.median);
    }
    EXPECT_EQ(told[1].length, 128);
    EXPECT_GT(costs[1].extraPeakBytes, 7 * costs[0].extraPeakBytes);
    // The same bytes on every run.
    EXPECT_EQ(measurePrefill(smallPrefill({16}), [](const PrefillCost&) {}, {})[0].extraPeakBytes,
        costs[0].extraPeakBytes);
}

TEST(PrefillCost, RefusesAndStops) {
    const auto ignore = [](const PrefillCost&) {};
    for (const std::vector<std::int64_t>& lengths :
        std::vector<std::vector<std::int64_t>>{{}, {0}, {16, 300}})
        try {
            (void)measurePrefill(smallPrefill(lengths), ignore, {});
            ADD_FAILURE() << "no failure";
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Usage);
        }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)measurePrefill(smallPrefill({16}), ignore, stop.get_token()), Cancelled);
}

TEST(DecoderCost, MeasuresEveryPathAtEverySize) {
    DecoderPlan plan;
    plan.model = MASKSCOPE_RESOURCES "/models/lens-small";
    plan.patches = {64, 384};
    plan.threads = 2;
    plan.repeats = {0, 2};
    std::vector<std::vector<DecoderCost>> sizes;
    measureDecoder(plan, [&](const auto& costs) { sizes.push_back(costs); }, {});
    ASSERT_EQ(sizes.size(), 2U);
    for (const auto& costs : sizes) {
        ASSERT_EQ(costs.size(), 3U);
        for (std::size_t i = 0; i < costs.size(); ++i) {
            EXPECT_EQ(costs[i].path, plan.paths[i]);
            EXPECT_GT(costs[i].ms.low, 0);
        }
    }
    EXPECT_EQ(sizes[1][0].patches, 384);
    // The native path holds two matrices of 8 heads x 384 x 384 x 4 bytes.
    EXPECT_GT(sizes[1][0].extraPeakBytes, sizes[1][1].extraPeakBytes);
    EXPECT_GT(sizes[1][0].extraPeakBytes, 2 * 8 * 384 * 384 * 4);
}

TEST(DecoderCost, RefusesBeforeItLoadsAndStops) {
    DecoderPlan plan;
    plan.model = "/nowhere";
    plan.patches = {64, 7};
    const auto ignore = [](const auto&) {};
    try {
        measureDecoder(plan, ignore, {});
        ADD_FAILURE() << "no failure";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Usage);
    }
    plan.model = MASKSCOPE_RESOURCES "/models/lens-small";
    plan.patches = {64};
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(measureDecoder(plan, ignore, stop.get_token()), Cancelled);
}

TEST(ImageCost, DecodesAndPreparesEveryTime) {
    int decoded = 0;
    const auto decode = [&] {
        ++decoded;
        Image image;
        image.width = 300;
        image.height = 200;
        image.rgb.assign(300 * 200 * 3, 77);
        return image;
    };
    const ImageCost cost = measureImage(decode, 16384, 1, {2, 3}, {});
    EXPECT_EQ(decoded, 5);
    EXPECT_EQ(cost.width, 300);
    EXPECT_EQ(cost.height, 200);
    EXPECT_EQ(cost.seenPixels, 160 * 96);
    EXPECT_GT(cost.prepareMs.low, 0);
    EXPECT_LE(cost.decodeMs.low, cost.decodeMs.high);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)measureImage(decode, 16384, 1, {0, 1}, stop.get_token()), Cancelled);
}

} // namespace
} // namespace maskscope
