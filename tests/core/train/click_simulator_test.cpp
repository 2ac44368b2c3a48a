// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/click_simulator.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

using namespace maskscope;

namespace {

constexpr int kWidth = 60;
constexpr int kHeight = 40;

std::vector<std::uint8_t> maskOf(const std::function<bool(int, int)>& inside) {
    std::vector<std::uint8_t> bits;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            bits.push_back(inside(x, y) ? 1 : 0);
    return bits;
}

bool rectangle(int x, int y, int left, int top, int right, int bottom) {
    return x >= left && x < right && y >= top && y < bottom;
}

MaskView view(const std::vector<std::uint8_t>& bits) {
    return {bits, kWidth, kHeight};
}

bool hit(const std::vector<std::uint8_t>& bits, const PointPrompt& point) {
    const int x = static_cast<int>(std::floor(point.x));
    const int y = static_cast<int>(std::floor(point.y));
    return bits.at(static_cast<std::size_t>(y * kWidth + x)) != 0;
}

} // namespace

TEST(ClickSimulator, TheFirstClickIsInsideAndRatherInTheMiddle) {
    const auto ring = maskOf([](int x, int y) {
        const double far = std::hypot(x - 30, y - 20);
        return far < 18 && far > 9;
    });
    const auto box = maskOf([](int x, int y) { return rectangle(x, y, 10, 10, 40, 40); });
    RandomStream random(1);
    int middle = 0;
    for (int i = 0; i < 300; ++i) {
        const PointPrompt inRing = firstClick(view(ring), random);
        EXPECT_TRUE(hit(ring, inRing));
        EXPECT_EQ(inRing.sign, PointSign::Positive);
        const PointPrompt inBox = firstClick(view(box), random);
        EXPECT_TRUE(hit(box, inBox));
        middle += std::abs(inBox.x - 25) < 7.5 && std::abs(inBox.y - 25) < 7.5;
    }
    EXPECT_GT(middle, 120) << "a quarter of the area, but it should get far more of the clicks";
    const auto speck = maskOf([](int x, int y) { return x == 59 && y == 39; });
    const PointPrompt onSpeck = firstClick(view(speck), random);
    EXPECT_EQ(onSpeck.x, 59.5);
    EXPECT_EQ(onSpeck.y, 39.5);
}

TEST(ClickSimulator, TheNextClickGoesWhereMostIsWrong) {
    RandomStream random(2);
    const auto target = maskOf([](int x, int y) { return rectangle(x, y, 5, 5, 35, 25); });
    const auto half = maskOf([](int x, int y) { return rectangle(x, y, 5, 5, 15, 25); });
    const PointPrompt missed = nextClick(view(target), view(half), random);
    EXPECT_EQ(missed.sign, PointSign::Positive);
    EXPECT_TRUE(hit(target, missed));
    EXPECT_FALSE(hit(half, missed));
    EXPECT_NEAR(missed.x, 25, 1.5);
    EXPECT_NEAR(missed.y, 15, 1.5);

    const auto tooMuch = maskOf([](int x, int y) {
        return rectangle(x, y, 5, 5, 35, 25) || rectangle(x, y, 40, 0, 60, 40);
    });
    const PointPrompt wrong = nextClick(view(target), view(tooMuch), random);
    EXPECT_EQ(wrong.sign, PointSign::Negative);
    EXPECT_NEAR(wrong.x, 50, 1.5);
    EXPECT_FALSE(hit(target, wrong));

    const PointPrompt again = nextClick(view(target), view(target), random);
    EXPECT_EQ(again.sign, PointSign::Positive);
    EXPECT_TRUE(hit(target, again));
}

TEST(ClickSimulator, BoxesStayNearTheObjectAndInTheFrame) {
    RandomStream random(3);
    const auto target = maskOf([](int x, int y) { return rectangle(x, y, 0, 10, 50, 12); });
    bool moved = false;
    for (int i = 0; i < 200; ++i) {
        const BoxPrompt box = drawnBox(view(target), random);
        EXPECT_GE(box.x0, 0);
        EXPECT_LE(box.x0, 4.01);
        EXPECT_NEAR(box.x1, 50, 4.01);
        EXPECT_NEAR(box.y0, 10, 1.01);
        EXPECT_NEAR(box.y1, 12, 1.01);
        EXPECT_LT(box.x0, box.x1);
        EXPECT_LE(box.y0 + 1, box.y1);
        moved = moved || box.y0 != 10;
    }
    EXPECT_TRUE(moved);
}

TEST(ClickSimulator, RefusesEmptyAndMisshapenMasks) {
    RandomStream random(4);
    const auto nothing = maskOf([](int, int) { return false; });
    EXPECT_THROW(firstClick(view(nothing), random), Failure);
    EXPECT_THROW(drawnBox(view(nothing), random), Failure);
    EXPECT_THROW(firstClick({nothing, kWidth, kHeight + 1}, random), Failure);
}
