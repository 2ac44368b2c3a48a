// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include "tests/core/compare/some_run.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

using test::failedRun;
using test::SomeRun;

TEST(Comparison, OfTheSameRunIsIdentical) {
    const auto comparison = compareRuns(SomeRun{}.record(), SomeRun{}.record());
    EXPECT_EQ(comparison.kind, PairKind::Wiring);
    EXPECT_EQ(comparison.verdict, Verdict::Identical);
    EXPECT_NE(comparison.sentence.find("to the bit"), std::string::npos);
    ASSERT_EQ(comparison.masks.size(), 1U);
    EXPECT_EQ(comparison.masks[0].iou, 1);
    EXPECT_EQ(comparison.masks[0].largestDifference, 0);
    EXPECT_FALSE(comparison.masks[0].largestLogitWhereDiffering);
}

TEST(Comparison, OfAnotherPathMayDifferByRounding) {
    const auto comparison = compareRuns(SomeRun{}.record(),
        SomeRun{.path = AttentionPath::Mha, .logits = {4.0001F, -4, 4, -4}}.record());
    EXPECT_EQ(comparison.kind, PairKind::Path);
    EXPECT_EQ(comparison.verdict, Verdict::Rounding);
    EXPECT_NEAR(*comparison.masks[0].largestDifference, 1e-4, 1e-6);
}

TEST(Comparison, OfTheSameComputationMayNotDifferAtAll) {
    const auto comparison
        = compareRuns(SomeRun{}.record(), SomeRun{.logits = {4.0001F, -4, 4, -4}}.record());
    EXPECT_EQ(comparison.kind, PairKind::Wiring);
    EXPECT_EQ(comparison.verdict, Verdict::Real);
}

TEST(Comparison, SaysHowFarFromTheThresholdAPixelWasThatChangedSides) {
    // Upsampled twice, the second column of pixels lies a quarter of the way between the logits.
    SomeRun other{.path = AttentionPath::Mha};
    other.logits = {4, -12.4F, 4, -12.4F};
    other.bits[1] = 0;
    const auto comparison = compareRuns(SomeRun{}.record(), other.record());
    EXPECT_EQ(comparison.masks[0].differingPixels, 1);
    EXPECT_DOUBLE_EQ(comparison.masks[0].iou, 7.0 / 8);
    EXPECT_NEAR(*comparison.masks[0].largestLogitWhereDiffering, 0.1, 1e-5);
    EXPECT_EQ(comparison.verdict, Verdict::Real);
}

TEST(Comparison, NamesTheFirstDifferingToken) {
    const auto longer = compareRuns(
        SomeRun{}.record(), SomeRun{.path = AttentionPath::Mha, .tokens = {5, 6, 7, 8}}.record());
    EXPECT_EQ(longer.firstDifferingToken, 3);
    EXPECT_EQ(longer.verdict, Verdict::Real);
    const auto other = compareRuns(
        SomeRun{}.record(), SomeRun{.path = AttentionPath::Mha, .tokens = {5, 9, 7}}.record());
    EXPECT_EQ(other.firstDifferingToken, 1);
    EXPECT_NE(other.sentence.find("from token 1"), std::string::npos);
}

TEST(Comparison, AllowsACoarserPrecisionMore) {
    const auto of = [](Precision precision) {
        return compareRuns(SomeRun{.precision = precision}.record(),
            SomeRun{.path = AttentionPath::Mha, .precision = precision, .logits = {4.1F, -4, 4, -4}}
                .record())
            .verdict;
    };
    EXPECT_EQ(of(Precision::Float32), Verdict::Real);
    EXPECT_EQ(of(Precision::BFloat16), Verdict::Rounding);
}

TEST(Comparison, OfNumbersThatAreNoneIsReal) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto comparison = compareRuns(SomeRun{}.record(),
        SomeRun{.path = AttentionPath::Mha, .logits = {nan, -4, 4, -4}}.record());
    EXPECT_EQ(comparison.verdict, Verdict::Real);
}

TEST(Comparison, WorksFromDigestsAndWithoutAny) {
    const auto digests = compareRuns(
        SomeRun{}.record(LogitRecord::Digests), SomeRun{}.record(LogitRecord::Values));
    EXPECT_EQ(digests.verdict, Verdict::Identical);
    EXPECT_TRUE(digests.numbersTold);
    const auto none
        = compareRuns(SomeRun{}.record(LogitRecord::Off), SomeRun{}.record(LogitRecord::Off));
    EXPECT_EQ(none.verdict, Verdict::Identical);
    EXPECT_NE(none.sentence.find("were not kept"), std::string::npos);
}

TEST(Comparison, OfAnotherPrecisionIsAnotherInput) {
    const auto comparison
        = compareRuns(SomeRun{}.record(), SomeRun{.precision = Precision::BFloat16}.record());
    EXPECT_EQ(comparison.kind, PairKind::Input);
}

TEST(Comparison, WithARunThatFailedIsIncomplete) {
    const auto comparison = compareRuns(SomeRun{}.record(), failedRun());
    EXPECT_EQ(comparison.verdict, Verdict::Incomplete);
}

} // namespace
} // namespace maskscope
