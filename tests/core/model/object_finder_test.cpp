// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/object_finder.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// Maps of a picture of 4 x 6 patches in which nothing is, until objects are put there.
struct Picture {
    static constexpr std::int64_t kHeight = 4, kWidth = 6;
    ObjectMaps maps{at::full({1, 2 * kHeight, 2 * kWidth}, -9.0F),
        at::zeros({1, kHeight* kWidth, 2}), at::zeros({1, kHeight* kWidth, 2})};
    at::Tensor probabilities = at::zeros({1, kHeight* kWidth, 4}); // two classes

    Picture() { probabilities.select(2, 2).fill_(1); }

    /// Patches of rows top .. bottom and columns left .. right, all of which vote for the middle.
    void put(int top, int bottom, int left, int right, int classIndex, double score) {
        const float x = float(left + right + 1) / 2, y = float(top + bottom + 1) / 2;
        maps.centres[0][int(2 * y)][int(2 * x)] = std::log(score / (1 - score));
        for (int row = top; row <= bottom; ++row)
            for (int column = left; column <= right; ++column) {
                const int patch = row * int(kWidth) + column;
                maps.votes[0][patch][0] = x - float(column) - 0.5F;
                maps.votes[0][patch][1] = y - float(row) - 0.5F;
                maps.sizes[0][patch][0] = std::log(float(right - left + 1));
                maps.sizes[0][patch][1] = std::log(float(bottom - top + 1));
                probabilities[0][patch].zero_();
                probabilities[0][patch][classIndex] = 1;
            }
    }

    FoundObjects found() const { return findObjects(maps, probabilities, kHeight, kWidth); }
};

} // namespace

TEST(FindObjects, TellsNeighboursOfOneClassApart) {
    Picture picture;
    picture.put(0, 3, 3, 5, 0, 0.9);
    picture.put(0, 3, 0, 2, 0, 0.7);
    const auto found = picture.found();
    EXPECT_NEAR(found.scores[0][0].item<double>(), 0.7, 1e-5) << "from left to right";
    EXPECT_NEAR(found.scores[0][1].item<double>(), 0.9, 1e-5);
    EXPECT_EQ(found.scores[0].gt(0).sum().item<int>(), 2);
    for (int column = 0; column < 6; ++column) {
        const double left = found.maps[0][0][column].item<double>();
        const double right = found.maps[0][1][column].item<double>();
        EXPECT_GT(column < 3 ? left : right, 0.9) << column;
        EXPECT_LT(column < 3 ? right : left, 0.1) << column;
    }
    EXPECT_NEAR(found.boxes[0][1][0].item<double>(), 0.75, 1.0 / 12) << "at stride 8";
    EXPECT_NEAR(found.boxes[0][1][2].item<double>(), 0.5, 1e-5);
    EXPECT_NEAR(found.boxes[0][1][3].item<double>(), 1, 1e-5);
}

TEST(FindObjects, FindsNothingTwice) {
    Picture picture;
    picture.put(0, 3, 1, 4, 1, 0.9);
    picture.maps.centres[0][4][4] = 1.5F; // a second peak of the same box, not beside the first
    const auto found = picture.found();
    EXPECT_EQ(found.scores[0].gt(0).sum().item<int>(), 1);
    EXPECT_NEAR(found.scores[0][0].item<double>(), 0.9, 1e-5);
}

TEST(FindObjects, GivesTheClassOfTheObjectsPatches) {
    Picture picture;
    picture.put(1, 2, 0, 1, 0, 0.8);
    picture.put(1, 2, 4, 5, 1, 0.8);
    picture.probabilities.requires_grad_(true);
    const auto found = picture.found();
    EXPECT_GT(found.classes[0][0][0].item<double>(), 0.95);
    EXPECT_GT(found.classes[0][1][1].item<double>(), 0.95);
    EXPECT_EQ(found.classes[0][2].abs().max().item<double>(), 0) << "nothing there";
    EXPECT_TRUE(found.classes.requires_grad());
    EXPECT_FALSE(found.maps.requires_grad());
}

TEST(FindObjects, FindsNothingInAnEmptyPicture) {
    const auto found = Picture().found();
    EXPECT_EQ(found.scores.sizes(), (at::IntArrayRef{1, FoundObjects::kMost}));
    EXPECT_EQ(found.scores.abs().max().item<double>(), 0);
    EXPECT_EQ(found.maps.abs().max().item<double>(), 0);
}

} // namespace maskscope
