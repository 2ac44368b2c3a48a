// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit.h"

#include <gtest/gtest.h>

namespace maskscope {

TEST(Fit, FindsThePolynomialThatPointsLieOn) {
    std::vector<FitPoint> points;
    for (const std::int64_t P : {1024, 1944, 2560, 3136, 3952})
        points.push_back({P, 128 * P * P + 12'288 * P + 77});
    const auto fit = fitPolynomial(points, 2);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->coefficients[2], 128, 1e-7);
    EXPECT_NEAR(fit->coefficients[1], 12'288, 1e-3);
    EXPECT_NEAR(fit->coefficients[0], 77, 0.5);
    EXPECT_NEAR(fit->slopePer1024(), 12'288 * 1024.0, 1);
    EXPECT_GT(fit->r2, 1 - 1e-12);
    EXPECT_NEAR(fit->at(32'120), 128.0 * 32'120 * 32'120 + 12'288.0 * 32'120 + 77, 1e3);
}

TEST(Fit, IsNumpysForPointsBesideIt) {
    // numpy.polyfit([1, 2, 3, 4], [6, 5, 7, 10], 1) = [1.4, 3.5], numpy.corrcoef ** 2 = 0.7
    const std::vector<FitPoint> points{{1, 6}, {2, 5}, {3, 7}, {4, 10}};
    const auto fit = fitPolynomial(points, 1);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->coefficients[0], 3.5, 1e-12);
    EXPECT_NEAR(fit->coefficients[1], 1.4, 1e-12);
    EXPECT_NEAR(fit->r2, 0.7, 1e-12);
}

TEST(Fit, IsTheReferencesQuadratic) {
    // The published video memory of mha in GB; its quadratic is 1.196e-7, 1.53e-4, 0.11.
    const std::vector<FitPoint> points{{1944, 860'000'000}, {3952, 2'580'000'000},
        {7776, 8'530'000'000}, {11'616, 18'020'000'000}};
    const auto fit = fitPolynomial(points, 2);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->coefficients[2] / 1e9, 1.196e-7, 0.0005e-7);
    EXPECT_NEAR(fit->coefficients[1] / 1e9, 1.53e-4, 0.005e-4);
    EXPECT_NEAR(fit->coefficients[0] / 1e9, 0.11, 0.005);
}

TEST(Fit, NeedsMoreSizesThanItsDegree) {
    const std::vector<FitPoint> points{{1024, 5}, {1024, 6}, {2048, 7}};
    EXPECT_TRUE(fitPolynomial(points, 1));
    EXPECT_FALSE(fitPolynomial(points, 2));
}

} // namespace maskscope
