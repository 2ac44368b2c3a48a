// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/object_targets.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// A picture of 96 x 64 with filled boxes [x, y, width, height], all of class 0.
Example pictureOf(const std::vector<std::array<int, 4>>& boxes) {
    Example example;
    auto& scene = example.scene;
    scene.image.width = 96;
    scene.image.height = 64;
    for (const auto& box : boxes) {
        SceneObject object;
        object.mask.assign(96 * 64, 0);
        for (int y = box[1]; y < box[1] + box[3]; ++y)
            for (int x = box[0]; x < box[0] + box[2]; ++x)
                object.mask[std::size_t(y * 96 + x)] = 1;
        object.bbox = box;
        object.area = std::int64_t(box[2]) * box[3];
        scene.objects.push_back(object);
    }
    return example;
}

/// The maps that the targets ask for.
ObjectMaps perfect(const ObjectTargets& targets) {
    return {at::logit(targets.centres, 1e-4), targets.votes, targets.sizes};
}

} // namespace

TEST(ObjectTargets, AreCentresVotesAndSizes) {
    const auto example = pictureOf({{16, 0, 32, 64}});
    const auto targets = objectTargets({&example, 1});
    EXPECT_EQ(targets.centres.sizes(), (at::IntArrayRef{1, 8, 12}));
    EXPECT_EQ(targets.centres[0][4][4].item<float>(), 1);
    EXPECT_EQ(targets.centres.eq(1).sum().item<int>(), 1);
    EXPECT_EQ(targets.weights.sum().item<int>(), 2 * 4) << "patches that the box covers";
    EXPECT_FLOAT_EQ(targets.votes[0][1][0].item<float>(), 0.5F); // of the patch at x 16, y 0
    EXPECT_FLOAT_EQ(targets.votes[0][1][1].item<float>(), 1.5F);
    EXPECT_FLOAT_EQ(targets.sizes[0][1][0].item<float>(), std::log(2.0F));
    EXPECT_FLOAT_EQ(targets.sizes[0][1][1].item<float>(), std::log(4.0F));
    EXPECT_EQ(targets.count, 1);
}

TEST(ObjectTargets, LetEveryObjectBeFoundAgain) {
    const auto example = pictureOf({{48, 16, 40, 32}, {0, 0, 32, 24}, {4, 40, 24, 20}});
    const auto targets = objectTargets({&example, 1});
    auto probabilities = at::zeros({1, 24, 3});
    probabilities.select(2, 0).copy_(targets.weights);
    probabilities.select(2, 1).copy_(1 - targets.weights);
    const auto found = findObjects(perfect(targets), probabilities, 4, 6);
    EXPECT_EQ(found.scores.gt(0.5).sum().item<int>(), 3);
    auto matched = matchObjects(found, {&example, 1}).front();
    std::vector<int> objects;
    for (const int of : matched)
        if (of >= 0)
            objects.push_back(of);
    std::ranges::sort(objects);
    EXPECT_EQ(objects, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(matched[2], 0) << "the rightmost";
}

TEST(ObjectTargets, MakeLossesThatPerfectMapsDoNotHave) {
    const auto example = pictureOf({{48, 16, 40, 32}, {0, 0, 32, 24}});
    const auto targets = objectTargets({&example, 1});
    auto maps = perfect(targets);
    EXPECT_NEAR(placeLoss(maps, targets).item<double>(), 0, 1e-6);
    const double best = centreLoss(maps, targets).item<double>();
    maps.centres = at::full_like(maps.centres, -4.6);
    EXPECT_GT(centreLoss(maps, targets).item<double>(), 3 + best);
    maps.votes = maps.votes + 1; // a patch to the right and one down, everywhere
    EXPECT_NEAR(placeLoss(maps, targets).item<double>(), 2, 1e-5);
}

TEST(MatchObjects, TakesNothingForAnotherPlace) {
    const auto example = pictureOf({{48, 16, 40, 32}});
    FoundObjects found;
    found.scores = at::tensor({0.9F, 0.9F, 0.F}).view({1, 3});
    found.boxes = at::tensor(
        {0.2F, 0.2F, 0.3F, 0.3F, 68.F / 96, 0.5F, 0.4F, 0.5F, 68.F / 96, 0.5F, 0.4F, 0.5F})
                      .view({1, 3, 4});
    EXPECT_EQ(matchObjects(found, {&example, 1}).front(), (std::vector<int>{-1, 0, -1}));
}

} // namespace maskscope
