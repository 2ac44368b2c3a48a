// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/object_pointer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

Pointing pointing(const std::vector<float>& logits, float together) {
    return {at::tensor(logits).unsqueeze(0), at::tensor({together})};
}

std::vector<float> floats(const at::Tensor& x) {
    const auto flat = x.to(at::kFloat).contiguous();
    const auto* values = flat.const_data_ptr<float>();
    return {values, values + flat.numel()};
}

/// Two objects on a 2 x 2 grid: one is the left column, the other the right patch above.
FoundObjects twoObjects() {
    FoundObjects found;
    found.scores = at::tensor({0.9F, 0.8F, 0.F}).view({1, 3});
    found.boxes = at::tensor({0.25F, 0.5F, 0.5F, 1.F, 0.75F, 0.25F, 0.5F, 0.5F, 0.F, 0.F, 0.F, 0.F})
                      .view({1, 3, 4});
    found.maps
        = at::tensor({1.F, 0.F, 1.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F}).view({1, 3, 4});
    return found;
}

std::vector<float> meantBy(const ObjectPrompt& prompt) {
    return floats(
        meantByPrompts(twoObjects(), promptMaps({prompt}, 2, 2), at::zeros({1}, at::kLong)));
}

} // namespace

TEST(MeantByWords, GivesEveryMaskAnObjectOfItsOwn) {
    const auto cats = pointing({2, -5, 3, -1}, -4);
    const auto next = [&](std::vector<float> painted) {
        return floats(meantByWords(cats, at::tensor(painted).unsqueeze(0)));
    };
    EXPECT_EQ(next({0, 0, 0, 0}), (std::vector<float>{0, 0, 1, 0}));
    EXPECT_EQ(next({0, 0, 1, 0}), (std::vector<float>{1, 0, 0, 0}));
    EXPECT_EQ(next({1, 0, 1, 0}), (std::vector<float>{0, 0, 0, 1})) << "possible";
    EXPECT_EQ(next({1, 0, 1, 1}), (std::vector<float>{0, 0, 0, 0})) << "not likely";
}

TEST(MeantByWords, TakesAllThatAreMeantTogether) {
    const auto nothing = at::zeros({1, 4});
    EXPECT_EQ(floats(meantByWords(pointing({2, -5, 3, -1}, 4), nothing)),
        (std::vector<float>{1, 0, 1, 0}));
}

TEST(MeantByPrompts, IsTheObjectUnderTheClicks) {
    EXPECT_EQ(
        meantBy({{{0.75, 0.25, PointSign::Positive}}, {}, {}}), (std::vector<float>{0, 1, 0}));
    EXPECT_EQ(
        meantBy({{{0.25, 0.75, PointSign::Positive}}, {}, {}}), (std::vector<float>{1, 0, 0}));
    EXPECT_EQ(meantBy({{{0.75, 0.75, PointSign::Positive}}, {}, {}}), (std::vector<float>{0, 0, 0}))
        << "nothing was found there";
    EXPECT_EQ(meantBy({}), (std::vector<float>{0, 0, 0}));
}

TEST(MeaningsOfClick, AreTheLikeliestThenOthersThereThenNone) {
    auto found = twoObjects();
    // The second object reaches into the patch above on the left, the third fills all.
    found.maps = at::tensor({0.6F, 0.F, 1.F, 0.F, 0.2F, 1.F, 0.F, 0.F, 0.2F, 0.F, 0.F, 1.F})
                     .view({1, 3, 4});
    found.boxes = at::tensor({0.25F, 0.5F, 0.5F, 1.F, 0.5F, 0.25F, 1.F, 0.4F, 0.5F, 0.5F, 1.F, 1.F})
                      .view({1, 3, 4});
    const auto at = [&](double x, double y) {
        const ObjectPrompt prompt{{{x, y, PointSign::Positive}}, {}, {}};
        return meaningsOfClick(found, promptMaps({prompt}, 2, 2));
    };
    const auto several = at(0.25, 0.25);
    ASSERT_EQ(several.size(0), 4);
    EXPECT_EQ(floats(several), (std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(at(0.25, 0.75).size(0), 2) << "one object, or none of it";
    found.maps.zero_();
    EXPECT_EQ(at(0.25, 0.75).size(0), 1) << "nothing was found there";
}

TEST(MeantByPrompts, IsTheObjectThatFillsTheBox) {
    EXPECT_EQ(meantBy({{}, BoxPrompt{0.45, 0, 1, 0.5}, {}}), (std::vector<float>{0, 1, 0}));
    EXPECT_EQ(meantBy({{}, BoxPrompt{0, 0, 0.5, 0.9}, {}}), (std::vector<float>{1, 0, 0}));
    EXPECT_EQ(meantBy({{}, BoxPrompt{0.6, 0.6, 1, 1}, {}}), (std::vector<float>{0, 0, 0}));
}

} // namespace maskscope
