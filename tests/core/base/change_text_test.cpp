// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/change_text.h"

#include <gtest/gtest.h>

namespace maskscope {

TEST(RatioText, HasTheDigitsThatPeopleUse) {
    EXPECT_EQ(ratioText(73.94), "74");
    EXPECT_EQ(ratioText(4.56), "4.6");
    EXPECT_EQ(ratioText(9.97), "10");
    EXPECT_EQ(ratioText(0.0634), "0.063");
    EXPECT_EQ(ratioText(0.999), "1.0");
}

TEST(ChangeText, SaysTimesWhereMuchChangesAndPercentWhereLittle) {
    EXPECT_EQ(changeText(853.14, 53.75), "16 x less");
    EXPECT_EQ(changeText(10, 46), "4.6 x more");
    EXPECT_EQ(changeText(32.2, 7, "faster", "slower"), "4.6 x faster");
    EXPECT_EQ(changeText(5.95, 5.21), "12 % less");
    EXPECT_EQ(changeText(100, 110), "10 % more");
    EXPECT_EQ(changeText(100, 100.2), "the same");
    EXPECT_EQ(changeText(7, 7), "the same");
}

TEST(TimeText, ChangesTheUnitWhereDigitsBecomeMany) {
    EXPECT_EQ(timeText(4.21), "4.2 ms");
    EXPECT_EQ(timeText(853.4), "853 ms");
    EXPECT_EQ(timeText(7011), "7.0 s");
    EXPECT_EQ(timeText(12'480), "12.5 s");
    EXPECT_EQ(timeText(143'000), "2 min 23 s");
    EXPECT_EQ(timeText(179'900), "3 min 0 s");
}

} // namespace maskscope
