// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "app/cli/terminal.h"
#include "core/base/error.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

TEST(ByteCount, ReadsDecimalAndBinaryUnits) {
    EXPECT_EQ(byteCountFrom("512MiB", "--memory-limit"), 536'870'912);
    EXPECT_EQ(byteCountFrom("2GB", "--memory-limit"), 2'000'000'000);
    EXPECT_EQ(byteCountFrom("1.5 GiB", "--memory-limit"), 1'610'612'736);
    EXPECT_EQ(byteCountFrom("4096", "--memory-limit"), 4096);
    EXPECT_EQ(byteCountFrom("1KB", "--memory-limit"), 1000);
}

TEST(ByteCount, RefusesWhatIsNoSize) {
    for (const std::string text :
        {"", "MiB", "-1MiB", "0", "1.2.3GB", "5 gb", "1e30GiB", "99999999TiB"}) {
        try {
            byteCountFrom(text, "--memory-limit");
            ADD_FAILURE() << "took \"" << text << '"';
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Usage);
            const std::string& sentence = failure.error().sentence;
            EXPECT_NE(sentence.find("--memory-limit"), std::string::npos);
            EXPECT_NE(sentence.find('"' + text + '"'), std::string::npos);
        }
    }
}

TEST(ProgressText, SaysWhatIsDoneAndForHowLong) {
    using std::chrono::seconds;
    EXPECT_EQ(
        progressText("mha 3952", 0.5, seconds(12)), "[############            ] mha 3952, 12 s");
    EXPECT_EQ(progressText("sdpa, mask", 0, seconds(0)), "[                        ] sdpa, mask");
    EXPECT_EQ(progressText("mha", 1, seconds(143)), "[########################] mha, 2 min 23 s");
    EXPECT_LE(progressText(std::string(300, 'x'), 1, seconds(1)).size(), 80U);
}

TEST(Point, ReadsPlaceAndSign) {
    const PointPrompt plain = pointFrom("12.5,7");
    EXPECT_EQ(plain.x, 12.5);
    EXPECT_EQ(plain.y, 7);
    EXPECT_EQ(plain.sign, PointSign::Positive);
    EXPECT_EQ(pointFrom("1,2,-").sign, PointSign::Negative);
    EXPECT_EQ(pointFrom("1,2,+").sign, PointSign::Positive);
}

TEST(Point, RefusesWhatIsNoPoint) {
    for (const char* text : {"", "1", "1,", "1,2,3", "1,2,+,", "nan,1", "inf,1", "1;2", "0x1,2"})
        EXPECT_THROW(pointFrom(text), Failure) << text;
}

TEST(Box, ReadsCornersInOrderOnly) {
    const BoxPrompt box = boxFrom("1,2,30.5,40");
    EXPECT_EQ(box.x0, 1);
    EXPECT_EQ(box.y0, 2);
    EXPECT_EQ(box.x1, 30.5);
    EXPECT_EQ(box.y1, 40);
    for (const char* text : {"1,2,3", "5,1,5,9", "1,9,5,9", "9,1,5,8", "1,2,3,4,5", "a,b,c,d"})
        EXPECT_THROW(boxFrom(text), Failure) << text;
}

TEST(Pixels, ReadsNumbersMillionsAndNative) {
    EXPECT_EQ(pixelCountFrom("65536"), 65536);
    EXPECT_EQ(pixelCountFrom("0.5M"), 500'000);
    EXPECT_EQ(pixelCountFrom("native"), kNativePixels);
    for (const char* text : {"", "M", "0", "-1", "1023", "8.5M", "1e99", "Native"})
        EXPECT_THROW(pixelCountFrom(text), Failure) << text;
}

TEST(Attention, NamesThePathsItKnows) {
    EXPECT_EQ(attentionFrom("mha"), AttentionPath::Mha);
    EXPECT_EQ(attentionFrom("auto"), AttentionPath::Auto);
    EXPECT_THROW(attentionFrom("MHA"), Failure);
    EXPECT_THROW(precisionArgumentFrom("fp8"), Failure);
}

TEST(Printable, LetsNoControlSequenceThrough) {
    EXPECT_EQ(terminalText("the cat\n\tis here"), "the cat\n\tis here");
    EXPECT_EQ(oneLine("new\nline " + std::string(300, 'x')), "new line " + std::string(300, 'x'));
    EXPECT_EQ(terminalText("\x1b[31mred"), "\xEF\xBF\xBD[31mred");
    EXPECT_EQ(terminalText("a\x7f"), "a\xEF\xBF\xBD");
    EXPECT_EQ(terminalText("a\xC2\x9B"
                           "31m"),
        "a\xEF\xBF\xBD"
        "31m");
    EXPECT_EQ(terminalText("고양이 \xC2\xA0"), "고양이 \xC2\xA0");
}

TEST(ExitCode, FollowsTheKindOfError) {
    EXPECT_EQ(exitCodeOf(ErrorKind::Usage), 2);
    EXPECT_EQ(exitCodeOf(ErrorKind::Input), 3);
    EXPECT_EQ(exitCodeOf(ErrorKind::Model), 4);
    EXPECT_EQ(exitCodeOf(ErrorKind::Memory), 5);
    EXPECT_EQ(exitCodeOf(ErrorKind::Device), 6);
    EXPECT_EQ(exitCodeOf(ErrorKind::Internal), 1);
}

} // namespace
} // namespace maskscope
