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
    const auto onlyOne
        = compareRuns(SomeRun{}.record(LogitRecord::Off), SomeRun{}.record(LogitRecord::Digests));
    EXPECT_EQ(onlyOne.verdict, Verdict::Identical);
    EXPECT_FALSE(onlyOne.numbersTold);
}

TEST(Comparison, OfAnotherPrecisionIsAnotherInput) {
    const auto comparison
        = compareRuns(SomeRun{}.record(), SomeRun{.precision = Precision::BFloat16}.record());
    EXPECT_EQ(comparison.kind, PairKind::Input);
}

TEST(Comparison, WithARunThatFailedIsIncomplete) {
    for (const auto& comparison : {compareRuns(SomeRun{}.record(), failedRun()),
             compareRuns(failedRun(), SomeRun{}.record()), compareRuns(failedRun(), failedRun())}) {
        EXPECT_EQ(comparison.verdict, Verdict::Incomplete);
        EXPECT_EQ(comparison.kind, PairKind::Unknown);
        EXPECT_EQ(nameOf(comparison.kind), "unknown");
    }
}

TEST(Comparison, WithARunThatWasStoppedIsIncomplete) {
    RunRecord stopped = SomeRun{}.record();
    auto report = std::make_shared<Report>(*reportOf(stopped));
    report->outcome = Outcome::Cancelled;
    stopped.events.back().payload = Done{report};
    const auto comparison = compareRuns(SomeRun{}.record(), stopped);
    EXPECT_EQ(comparison.verdict, Verdict::Incomplete);
    EXPECT_NE(comparison.sentence.find("stopped"), std::string::npos);
}

TEST(Comparison, OfOtherPicturesOrRequestsTellsThemApart) {
    RunRecord dog = SomeRun{}.record();
    dog.header.text = "the dog";
    const auto words = compareRuns(SomeRun{}.record(), dog);
    EXPECT_EQ(words.kind, PairKind::Input);
    EXPECT_EQ(words.verdict, Verdict::Unrelated) << "although all results are the same";
    EXPECT_EQ(words.sentence,
        "Different questions: the runs differ in the words (“the <b>cat</b>” and “the dog”); what "
        "differs in the results says nothing of the computation: the same tokens, masks equal in "
        "every pixel, largest difference of a mask's logit 0.");

    RunRecord picture = SomeRun{.tokens = {5, 6}}.record();
    picture.header.image = {"/photos/dog.png", 640, 480, "11"};
    picture.header.points = {{1, 2, PointSign::Positive}};
    const auto pictures = compareRuns(SomeRun{}.record(), picture);
    EXPECT_EQ(pictures.verdict, Verdict::Unrelated);
    EXPECT_TRUE(pictures.masks.empty()) << "pixels of different pictures";
    EXPECT_NE(pictures.sentence.find(
                  "the picture (cat.png, 4 x 4, and dog.png, 640 x 480) and the clicks;"),
        std::string::npos)
        << pictures.sentence;
    EXPECT_NE(pictures.sentence.find("from token 2 on, 1 mask against 1."), std::string::npos)
        << pictures.sentence;
}

TEST(Comparison, OfOtherDrawsIsAnotherQuestionOnlyWhereTokensAreDrawn) {
    const auto drawn = [](double temperature, std::uint64_t seed) {
        RunRecord run = SomeRun{}.record();
        run.header.settings.sampling.temperature = temperature;
        auto report = std::make_shared<Report>(*reportOf(run));
        report->seed = seed;
        run.events.back().payload = Done{report};
        return run;
    };
    EXPECT_EQ(compareRuns(drawn(0, 1), drawn(0, 2)).kind, PairKind::Wiring);
    EXPECT_EQ(compareRuns(drawn(0.7, 1), drawn(0.7, 1)).kind, PairKind::Wiring);
    EXPECT_EQ(compareRuns(drawn(0.7, 1), drawn(0.7, 2)).verdict, Verdict::Unrelated);
    EXPECT_EQ(compareRuns(drawn(0, 1), drawn(0.7, 1)).verdict, Verdict::Unrelated);
}

TEST(Comparison, NamesWhatElseOfTheInputDiffers) {
    RunRecord other = SomeRun{.precision = Precision::BFloat16}.record();
    other.header.modelName = "another";
    const auto comparison = compareRuns(SomeRun{}.record(), other);
    EXPECT_EQ(comparison.kind, PairKind::Input);
    EXPECT_NE(comparison.sentence.find(
                  "the model (model and another) and the precision (fp32 and bf16)."),
        std::string::npos)
        << comparison.sentence;
}

TEST(Comparison, TellsModelsOfOneNameApartByTheirFiles) {
    RunRecord one = SomeRun{}.record(), other = one;
    one.header.modelDigest = "11";
    EXPECT_EQ(compareRuns(one, other).kind, PairKind::Wiring) << "of before there were digests";
    other.header.modelDigest = "22";
    const auto comparison = compareRuns(one, other);
    EXPECT_EQ(comparison.kind, PairKind::Input);
    EXPECT_NE(comparison.sentence.find("the files of the model model"), std::string::npos)
        << comparison.sentence;
    other.header.modelDigest = "11";
    other.header.modelName = "a copy of it";
    EXPECT_EQ(compareRuns(one, other).kind, PairKind::Wiring);
}

TEST(Comparison, OfAnotherMachineMayDifferByRounding) {
    RunRecord other = SomeRun{.logits = {4.0001F, -4, 4, -4}}.record();
    other.header.machine.processor = "Another processor";
    const auto comparison = compareRuns(SomeRun{}.record(), other);
    EXPECT_EQ(comparison.kind, PairKind::Path);
    EXPECT_EQ(comparison.verdict, Verdict::Rounding);
}

} // namespace
} // namespace maskscope
