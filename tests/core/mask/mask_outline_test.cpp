// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_outline.h"

#include "tests/core/mask/sample_masks.h"

#include <gtest/gtest.h>
#include <random>

namespace maskscope {

void PrintTo(const Corner& corner, std::ostream* out) {
    *out << "(" << corner.x << ", " << corner.y << ")";
}

namespace {

using test::maskOf;
using test::randomMask;

/// Even-odd filling: a pixel is inside if an odd number of vertical edges lies to its left.
std::vector<std::uint8_t> filled(const std::vector<OutlineRing>& rings, int width, int height) {
    std::vector<std::uint8_t> bits(std::size_t(width) * std::size_t(height));
    for (const OutlineRing& ring : rings) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const Corner a = ring[i];
            const Corner b = ring[(i + 1) % ring.size()];
            for (int y = std::min(a.y, b.y); y < std::max(a.y, b.y); ++y)
                for (int x = a.x; x < width; ++x)
                    bits[std::size_t(y * width + x)] ^= 1;
        }
    }
    return bits;
}

/// Twice the area with sign: positive when clockwise, y downwards.
long turning(const OutlineRing& ring) {
    long sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Corner a = ring[i];
        const Corner b = ring[(i + 1) % ring.size()];
        sum += long(a.x) * b.y - long(b.x) * a.y;
    }
    return sum;
}

TEST(MaskOutline, GoesAroundOnePixel) {
    const auto rings = outlineOf(maskOf({"...", ".#.", "..."}));
    ASSERT_EQ(rings.size(), 1u);
    EXPECT_EQ(rings[0], (OutlineRing{{2, 1}, {2, 2}, {1, 2}, {1, 1}}));
}

TEST(MaskOutline, GoesAroundHolesTheOtherWay) {
    const auto rings = outlineOf(maskOf({"####", "#..#", "####"}));
    ASSERT_EQ(rings.size(), 2u);
    EXPECT_EQ(rings[0], (OutlineRing{{4, 0}, {4, 3}, {0, 3}, {0, 0}}));
    EXPECT_EQ(turning(rings[0]), 2 * 12);
    EXPECT_EQ(turning(rings[1]), -2 * 2);
}

TEST(MaskOutline, KeepsPixelsApartThatTouchAtACorner) {
    EXPECT_EQ(outlineOf(maskOf({"#.", ".#"})).size(), 2u);
    EXPECT_EQ(outlineOf(maskOf({".#", "#."})).size(), 2u);
    EXPECT_TRUE(outlineOf(maskOf({"..", ".."})).empty());
}

TEST(MaskOutline, GivesTheMaskBack) {
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        const Mask mask = randomMask(random, 1 + int(random() % 30), 1 + int(random() % 30));
        const auto rings = outlineOf(mask);
        EXPECT_EQ(filled(rings, mask.width, mask.height), mask.bits);
        long area = 0;
        for (const OutlineRing& ring : rings)
            area += turning(ring);
        EXPECT_EQ(area, 2 * mask.area);
    }
}

} // namespace
} // namespace maskscope
