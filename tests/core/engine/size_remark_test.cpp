// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/size_remark.h"

#include <gtest/gtest.h>

namespace maskscope {

TEST(SizeRemark, WarnsFarBeyondTheSizeOfTheTraining) {
    EXPECT_EQ(sizeRemark(11616, 65536),
        "The model was trained on pictures of about 0.07 MP: beyond about 0.26 MP its answers and "
        "masks may be wrong, and it saw 2.97 MP here. Memory and time are true all the same.");
    EXPECT_NE(sizeRemark(1025, 65536), "");
}

TEST(SizeRemark, IsSilentNearItAndWhereItIsNotKnown) {
    EXPECT_EQ(sizeRemark(252, 65536), "");
    EXPECT_EQ(sizeRemark(1024, 65536), "");
    EXPECT_EQ(sizeRemark(0, 65536), "");
    EXPECT_EQ(sizeRemark(32544, 0), "");
}

} // namespace maskscope
