// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/boolean.h"

#include "tests/core/edit/random_mask.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

constexpr int kWidth = 19;
constexpr int kHeight = 13;

/// The runs that the bits of two masks give, pixel by pixel.
template <class Keep>
MaskRuns byPixels(const Mask& a, const Mask& b, Keep keep) {
    return runsOf(maskWhere(kWidth, kHeight, [&](int x, int y) {
        const auto i = static_cast<std::size_t>(y * kWidth + x);
        return keep(a.bits[i] != 0, b.bits[i] != 0);
    }));
}

TEST(Boolean, IsWhatEachPixelSays) {
    std::mt19937 random(5);
    for (int i = 0; i < 400; ++i) {
        const Mask a = randomMask(random, kWidth, kHeight);
        const Mask b = randomMask(random, kWidth, kHeight);
        const MaskRuns runsA = runsOf(a), runsB = runsOf(b);
        // Equal as runs too: one set of pixels has one form only.
        EXPECT_EQ(unite(runsA, runsB), byPixels(a, b, [](bool p, bool q) { return p || q; }));
        EXPECT_EQ(subtract(runsA, runsB), byPixels(a, b, [](bool p, bool q) { return p && !q; }));
        EXPECT_EQ(intersect(runsA, runsB), byPixels(a, b, [](bool p, bool q) { return p && q; }));
        EXPECT_EQ(exclusiveOr(runsA, runsB), byPixels(a, b, [](bool p, bool q) { return p != q; }));
    }
}

TEST(Boolean, KnowsEmptyMasksAndMasksFarApart) {
    const MaskRuns empty;
    const MaskRuns dot = runsOf(maskWhere(9, 1, [](int x, int) { return x == 7; }));
    EXPECT_EQ(unite(empty, dot), dot);
    EXPECT_EQ(subtract(dot, empty), dot);
    EXPECT_EQ(subtract(dot, dot), empty);
    EXPECT_EQ(exclusiveOr(dot, dot), empty);
    EXPECT_EQ(intersect(empty, dot), empty);
    const Mask apart
        = maskWhere(4, 50, [](int x, int y) { return x == y % 4 && (y < 2 || y > 47); });
    const MaskRuns upper = runsOf(maskWhere(4, 50, [](int x, int y) { return x == y && y < 2; }));
    EXPECT_EQ(unite(subtract(runsOf(apart), upper), upper), runsOf(apart));
}

} // namespace
} // namespace maskscope
