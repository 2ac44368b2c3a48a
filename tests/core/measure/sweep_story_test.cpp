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

std::string lawOf(const SweepRecord& record, LayerPath path) {
    const std::vector<SweepFit> fits = fitsOf(record.points);
    for (const SweepFit& fit : fits)
        if (&fit.fit == describingFit(fits, path))
            return lawText(fit, record);
    return {};
}

} // namespace

TEST(SweepStory, NamesTheMatricesBehindTheLaw) {
    const SweepRecord four = record({256, 512, 768, 1024});
    const std::string law = lawOf(four, LayerPath::Mha);
    EXPECT_EQ(law.find("mha grows with P²: 32.000 bytes x P² (2.00 matrices of 4 heads x P x P x 4 "
                       "bytes), "),
        0U)
        << law;
    EXPECT_NE(law.find("R² 1.000000"), std::string::npos) << law;
    EXPECT_EQ(lawOf(four, LayerPath::Sdpa).find("sdpa grows with P: 1 MiB per 1024 patches, "), 0U)
        << lawOf(four, LayerPath::Sdpa);
}

TEST(SweepStory, ClaimsNothingOfAFitThroughAllItsPoints) {
    const std::string law = lawOf(record({256, 512, 768}), LayerPath::Mha);
    EXPECT_EQ(law.find("R²"), std::string::npos) << law;
    EXPECT_NE(law.find("through its 3 sizes exactly"), std::string::npos) << law;
}

TEST(SweepStory, SetsThePathsAgainstEachOtherAtTheLargestCommonSize) {
    SweepRecord sweep = record({1024, 2048, 4096});
    EXPECT_EQ(storyOf(sweep),
        std::vector<std::string>{
            "At 4096 patches mha takes 128 x as much as sdpa: 512 MiB against 4 MiB."});
    std::erase_if(sweep.points, [](const SweepPoint& point) {
        return point.path == LayerPath::Mha && point.patches == 4096;
    });
    EXPECT_EQ(storyOf(sweep)[0].find("At 2048 patches mha takes 64 x"), 0U) << storyOf(sweep)[0];
    sweep.plan.paths = {LayerPath::Sdpa};
    EXPECT_TRUE(storyOf(sweep).empty());
}

} // namespace maskscope
