// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ring_verdict.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

TEST(RingVerdict, TheLeastOfBothIsConfirmed) {
    const auto verdict = verdictOf({9, 7, 8}, {{10, 10, 10}, {7, 6, 9}, {8, 8, 8}});
    EXPECT_EQ(verdict.recommended, 1U);
    EXPECT_EQ(verdict.quickest, 1U);
    EXPECT_EQ(verdict.ratio, 1);
    EXPECT_FALSE(verdict.tie);
    EXPECT_TRUE(verdict.right());
}

TEST(RingVerdict, ASlowerOneIsRefuted) {
    const auto verdict = verdictOf({7, 8}, {{11, 12, 11, 11, 12}, {10, 10, 10, 10, 10}});
    EXPECT_EQ(verdict.recommended, 0U);
    EXPECT_EQ(verdict.quickest, 1U);
    EXPECT_DOUBLE_EQ(verdict.ratio, 1.1);
    EXPECT_FALSE(verdict.right());
}

TEST(RingVerdict, TwoPercentAreATie) {
    EXPECT_TRUE(verdictOf({7, 8}, {{101.9, 101.9, 101.9}, {100, 100, 100}}).tie);
    EXPECT_FALSE(verdictOf({7, 8}, {{102.1, 102.1, 102.1}, {100, 100, 100}}).tie);
}

TEST(RingVerdict, SoAreRoundsThatDisagree) {
    // In five rounds of nine the recommended one is quicker, though its median is not.
    const std::vector<double> recommended{90, 110, 91, 109, 92, 125, 93, 126, 108};
    const std::vector<double> other{95, 80, 96, 81, 97, 100, 98, 101, 109};
    EXPECT_TRUE(verdictOf({7, 8}, {recommended, other}).tie);
    // The same medians, the same way in each round.
    EXPECT_FALSE(verdictOf({7, 8}, {std::vector<double>(9, 108), std::vector<double>(9, 97)}).tie);
}

TEST(RingVerdict, AnIntervalHoldsTheMedianAndNarrowsWithAgreement) {
    const auto wide = intervalOfMedian({1, 2, 3, 4, 5, 6, 7, 8, 9});
    EXPECT_LE(wide.first, 4);
    EXPECT_GE(wide.second, 6);
    EXPECT_GE(wide.first, 1);
    EXPECT_LE(wide.second, 9);
    EXPECT_EQ(intervalOfMedian({5, 5, 5, 5, 5}), std::pair(5.0, 5.0));
}

} // namespace
} // namespace maskscope
