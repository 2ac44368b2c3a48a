// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/grabcut.h"

#include "core/base/cancelled.h"
#include "core/edit/boolean.h"
#include "core/edit/grow.h"
#include "tests/core/edit/random_mask.h"

#include <cmath>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

double iouOf(const MaskRuns& a, const MaskRuns& b) {
    return double(intersect(a, b).area()) / double(unite(a, b).area());
}

bool isFlower(double x, double y) {
    return std::hypot(x, y) < 0.6 + 0.12 * std::sin(5 * std::atan2(y, x));
}

/// A flower with a hole, reddish with noise, on noisy green; `size` pixels wide and high.
struct Picture {
    explicit Picture(int size) {
        const auto inside = [size](int x, int y) {
            const double u = 2 * (x + 0.5) / size - 1, v = 2 * (y + 0.5) / size - 1;
            return isFlower(u, v) && std::hypot(u, v) > 0.2;
        };
        const Mask mask = maskWhere(size, size, inside);
        object = runsOf(mask);
        image.width = image.height = size;
        std::mt19937 random(9);
        for (const std::uint8_t bit : mask.bits)
            for (const unsigned value : {bit != 0 ? 150u : 60u, bit != 0 ? 70u : 130u, 60u})
                image.rgb.push_back(static_cast<std::uint8_t>(value + random() % 40));
    }

    Image image;
    MaskRuns object;
};

/// What becomes of a mask that misses the picture's object.
MaskRuns expectFound(const Picture& picture, const MaskRuns& mask, int band) {
    const int size = picture.image.width;
    EXPECT_LT(iouOf(mask, picture.object), 0.93);
    MaskRuns found = refineOnEdges(picture.image, mask, band, {});
    EXPECT_GT(iouOf(found, picture.object), 0.97);
    EXPECT_TRUE(subtract(found, grow(mask, band, size, size)).isEmpty());
    EXPECT_TRUE(subtract(shrink(mask, band, size, size), found).isEmpty());
    return found;
}

TEST(RefineOnEdges, FindsTheObjectThatTheMaskMissesByPixels) {
    const Picture picture(200);
    for (const MaskRuns& mask :
        {grow(picture.object, 5, 200, 200), shrink(picture.object, 5, 200, 200)}) {
        const MaskRuns found = expectFound(picture, mask, 10);
        EXPECT_EQ(refineOnEdges(picture.image, mask, 10, {}), found);
    }
}

TEST(RefineOnEdges, FindsItWhereOneMegapixelIsNotEnough) {
    const Picture picture(1600);
    expectFound(picture, grow(picture.object, 40, 1600, 1600), 60);
}

TEST(RefineOnEdges, ChangesNothingFartherThanItsBand) {
    const Picture picture(200);
    const MaskRuns mask = grow(picture.object, 8, 200, 200);
    const MaskRuns found = refineOnEdges(picture.image, mask, 3, {});
    EXPECT_FALSE(found == mask);
    EXPECT_EQ(intersect(found, shrink(mask, 3, 200, 200)), shrink(mask, 3, 200, 200));
    EXPECT_TRUE(subtract(found, grow(mask, 3, 200, 200)).isEmpty());
}

TEST(RefineOnEdges, LeavesAMaskAsItIsWhereNothingTellsMore) {
    const Picture picture(60);
    const MaskRuns all = runsOf(maskWhere(60, 60, [](int, int) { return true; }));
    const MaskRuns dot = runsOf(maskWhere(60, 60, [](int x, int y) { return x == 59 && y == 0; }));
    for (const MaskRuns& mask : {MaskRuns{}, all, dot})
        EXPECT_EQ(refineOnEdges(picture.image, mask, 10, {}), mask);
    EXPECT_EQ(refineOnEdges(picture.image, picture.object, 0, {}), picture.object);
    Image plain = picture.image;
    std::fill(plain.rgb.begin(), plain.rgb.end(), std::uint8_t{120});
    EXPECT_EQ(refineOnEdges(plain, picture.object, 10, {}), picture.object);
}

TEST(RefineOnEdges, TakesMasksAtTheBorderOfTheImage) {
    Picture picture(120);
    const MaskRuns left = runsOf(maskWhere(120, 120, [](int x, int) { return x < 60; }));
    for (const int band : {4, 1000}) {
        const MaskRuns found = refineOnEdges(picture.image, left, band, {});
        EXPECT_FALSE(found.isEmpty());
        EXPECT_LE(found.bbox[0] + found.bbox[2], 120);
    }
}

TEST(RefineOnEdges, StopsWhenAsked) {
    const Picture picture(60);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(refineOnEdges(picture.image, picture.object, 5, source.get_token()), Cancelled);
}

} // namespace
} // namespace maskscope
