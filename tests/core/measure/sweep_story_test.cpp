// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep_story.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// mha with two matrices of 4 heads and nothing else, sdpa with a KiB a patch.
SweepRecord record(const std::vector<std::int64_t>& sizes) {
    SweepRecord record;
    record.plan.paths = {LayerPath::Mha, LayerPath::Sdpa};
    record.plan.patches = sizes;
    record.plan.point.shape.heads = 4;
    for (const LayerPath path : record.plan.paths)
        for (const std::int64_t p : sizes) {
            record.points.push_back({path, p, {}});
            record.points.back().figures.extraPeakBytes
                = path == LayerPath::Mha ? 2 * 4 * 4 * p * p : 1024 * p;
        }
    return record;
}

} // namespace

TEST(SweepStory, NamesTheMatricesBehindTheLaw) {
    const std::vector<std::string> laws = lawsOf(record({256, 512, 768, 1024}));
    ASSERT_EQ(laws.size(), 2U);
    EXPECT_EQ(
        laws[0].find("mha grows with P²: 32.0 bytes x P² = 2 matrices x 4 heads x 4 bytes"), 0U)
        << laws[0];
    EXPECT_NE(laws[0].find("R² 1.000000"), std::string::npos) << laws[0];
    EXPECT_EQ(laws[1].find("sdpa grows with P: 1 MiB per 1,024 patches"), 0U) << laws[1];
}

TEST(SweepStory, ClaimsNoLawOfTooFewSizesNorOfPointsThatFollowNone) {
    const std::vector<std::string> few = lawsOf(record({256, 512, 768}));
    ASSERT_EQ(few.size(), 2U);
    EXPECT_EQ(few[0], "mha has too few sizes for a law: give 4 or more.");
    EXPECT_EQ(few[1].find("sdpa grows with P"), 0U) << few[1];
    SweepRecord bent = record({256, 512, 768, 1024});
    for (SweepPoint& point : bent.points)
        point.figures.extraPeakBytes = point.patches == 512 ? 9'000'000 : 1'000'000;
    EXPECT_EQ(lawsOf(bent)[1].find("sdpa follows no law over these sizes"), 0U) << lawsOf(bent)[1];
    EXPECT_FALSE(describingFit(fitsOf(bent.points), LayerPath::Sdpa));
}

TEST(SweepStory, SetsThePathsAgainstEachOtherAtTheLargestCommonSize) {
    SweepRecord sweep = record({1024, 2048, 4096});
    EXPECT_EQ(storyOf(sweep),
        std::vector<std::string>{
            "At 4096 patches mha takes 128 x what sdpa takes: 512 MiB against 4 MiB."});
    std::erase_if(sweep.points, [](const SweepPoint& point) {
        return point.path == LayerPath::Mha && point.patches == 4096;
    });
    EXPECT_EQ(storyOf(sweep)[0].find("At 2048 patches mha takes 64 x"), 0U) << storyOf(sweep)[0];
    sweep.plan.paths = {LayerPath::Sdpa};
    EXPECT_TRUE(storyOf(sweep).empty());
}

} // namespace maskscope
