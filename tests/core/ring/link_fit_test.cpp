// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/link_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace maskscope {
namespace {

/// 9 us and 57 GB/s, each time longer by the factor of its turn.
std::vector<TransferTime> timesOf(std::vector<double> factors) {
    std::vector<TransferTime> times;
    double bytes = 1024;
    for (const double factor : factors) {
        times.push_back({bytes, factor * (9 + bytes / 57e3)});
        bytes *= 16;
    }
    return times;
}

TEST(FitLink, FindsLatencyAndRateOfALine) {
    const LinkFigures link = fitLink(timesOf({1, 1, 1, 1, 1}));
    EXPECT_NEAR(link.latencyUs, 9, 1e-6);
    EXPECT_NEAR(link.gigabytesPerSecond, 57, 1e-6);
    EXPECT_NEAR(link.transferMs(57e6), 1.009, 1e-9);
}

TEST(FitLink, LongTransfersDoNotDrownTheLatency) {
    const LinkFigures link = fitLink(timesOf({1.02, 0.98, 1.01, 0.99, 1.02}));
    EXPECT_NEAR(link.latencyUs, 9, 0.3);
    EXPECT_NEAR(link.gigabytesPerSecond, 57, 2);
}

TEST(FitLink, NeitherFigureIsNegative) {
    const std::vector<TransferTime> noLatency{{1000, 1}, {2000, 2.5}, {4000, 5.5}};
    EXPECT_EQ(fitLink(noLatency).latencyUs, 0);
    EXPECT_GT(fitLink(noLatency).gigabytesPerSecond, 0.7);
    EXPECT_LT(fitLink(noLatency).gigabytesPerSecond, 1);
    const std::vector<TransferTime> noRate{{1000, 3}, {2000, 2}, {4000, 1}};
    EXPECT_TRUE(std::isinf(fitLink(noRate).gigabytesPerSecond));
    EXPECT_GE(fitLink(noRate).latencyUs, 1);
    EXPECT_LE(fitLink(noRate).transferMs(1e12), 0.003) << "bytes cost nothing";
}

} // namespace
} // namespace maskscope
