// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/report_html.h"
#include "core/compare/result_pictures.h"
#include "core/mask/mask_colour.h"
#include "tests/core/compare/some_run.h"

#include <gtest/gtest.h>

#include <array>

namespace maskscope {
namespace {

using test::failedRun;
using test::SomeRun;

Image black(int side) {
    Image image;
    image.width = image.height = side;
    image.rgb.assign(std::size_t(side * side * 3), 0);
    return image;
}

std::array<int, 3> colourAt(const Image& image, int x, int y) {
    const auto pixel = std::size_t(y * image.width + x) * 3;
    return {image.rgb[pixel], image.rgb[pixel + 1], image.rgb[pixel + 2]};
}

int occurrences(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(ResultPicture, PaintsMasksOverThePicture) {
    const Image picture = resultPicture(black(4), SomeRun{}.record(), 100);
    EXPECT_NE(colourAt(picture, 0, 1), (std::array{0, 0, 0}));
    EXPECT_EQ(colourAt(picture, 3, 1), (std::array{0, 0, 0}));
}

TEST(ResultPicture, IsNoLargerThanAsked) {
    SomeRun run;
    const Image picture = resultPicture(black(4), run.record(), 2);
    EXPECT_EQ(picture.width, 2);
    EXPECT_EQ(picture.height, 2);
}

TEST(DifferencePicture, ShowsWhatOneOfBothHas) {
    SomeRun other{.path = AttentionPath::Mha};
    other.bits[1] = 0; // only the first has (1, 0)
    other.bits[3] = 1; // only the second has (3, 0)
    const Image picture = differencePicture(black(4), SomeRun{}.record(), other.record(), 100);
    EXPECT_EQ(colourAt(picture, 1, 0), (std::array{230, 120, 0}));
    EXPECT_EQ(colourAt(picture, 3, 0), (std::array{0, 114, 178}));
    EXPECT_EQ(colourAt(picture, 0, 3), colourAt(picture, 2, 3));
}

TEST(HtmlReport, NeedsNothingElseAndShowsTextsLetterByLetter) {
    ComparedRuns first{SomeRun{}.record().header, {SomeRun{.title = "<script>"}.record()}};
    first.header.title = "<script>";
    const ComparedRuns second{failedRun().header, {failedRun()}};
    const ComparedRuns third{SomeRun{}.record().header, {SomeRun{}.record()}};
    const std::string html = htmlReport({first, third, second}, black(4));
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
    EXPECT_NE(html.find("the &lt;b&gt;cat&lt;/b&gt;"), std::string::npos);
    EXPECT_NE(html.find("Too much: 30.75 GiB."), std::string::npos);
    // The only address is the name of SVG.
    EXPECT_EQ(occurrences(html, "http"), occurrences(html, "http://www.w3.org/2000/svg"));
    EXPECT_EQ(occurrences(html, "data:image/png;base64,"), 6); // three for each pair
}

TEST(HtmlReport, IsHeadedByWhatAllWereAsked) {
    ComparedRuns first{SomeRun{}.record().header, {SomeRun{}.record()}};
    ComparedRuns second = first;
    second.runs[0].header.trainingPixels = 1024;
    const std::string html = htmlReport({first, second}, black(4));
    const std::string heading = "Maskscope: comparison for “the &lt;b&gt;cat&lt;/b&gt;”</";
    EXPECT_NE(html.find("<title>" + heading + "title>"), std::string::npos);
    EXPECT_NE(html.find("<h1>" + heading + "h1>"), std::string::npos);
    EXPECT_NE(html.find("its answers and masks may be wrong"), std::string::npos);
    second.runs[0].header.text = "the dog";
    EXPECT_NE(htmlReport({first, second}, black(4)).find("<h1>Maskscope: comparison</h1>"),
        std::string::npos);
}

TEST(HtmlReport, TellsItsStoryFirst) {
    const RunRecord mha
        = SomeRun{.title = "mha", .path = AttentionPath::Mha, .peak = 4 << 20}.record();
    const RunRecord sdpa = SomeRun{.peak = 1 << 20}.record();
    const std::string html = htmlReport({{mha.header, {mha}}, {sdpa.header, {sdpa}}}, black(4));
    const auto story
        = html.find("sdpa takes 1 MiB in the stage mask where mha takes 4 MiB: 4.0 x less");
    ASSERT_NE(story, std::string::npos) << html;
    EXPECT_LT(story, html.find("<h2>"));
    EXPECT_NE(
        html.find("<span class=\"bar first\" style=\"width:60%\"></span>4 MiB"), std::string::npos);
    EXPECT_NE(html.find("<span class=\"bar\" style=\"width:15%\"></span>1 MiB"), std::string::npos);
    EXPECT_NE(html.find("<tr class=\"most\"><th>extra peak, mask"), std::string::npos);
    EXPECT_NE(html.find("prefers-color-scheme:dark"), std::string::npos);
    EXPECT_NE(html.find("maskscope-cli compare cat.png"), std::string::npos);
}

TEST(HtmlReport, DoesNotLayDifferentPicturesOverEachOther) {
    RunRecord other = SomeRun{}.record();
    other.header.image.digest = "11";
    const std::string html
        = htmlReport({pastRun(SomeRun{}.record(), "run 1"), pastRun(other, "run 2")}, black(4));
    EXPECT_EQ(occurrences(html, "data:image/png;base64,"), 0);
    EXPECT_NE(
        html.find("run 1 (sdpa) and run 2 (sdpa) looked at different pictures"), std::string::npos);
    EXPECT_NE(html.find("Different questions"), std::string::npos);
    EXPECT_EQ(html.find("must agree to the bit"), std::string::npos);
}

TEST(HtmlReport, DoesNotCallAPairWithoutAResultTheSameComputation) {
    const std::string html = htmlReport(
        {{SomeRun{}.record().header, {SomeRun{}.record()}}, {failedRun().header, {failedRun()}}},
        black(4));
    EXPECT_EQ(html.find("must agree to the bit"), std::string::npos);
    EXPECT_NE(html.find("Without a result:"), std::string::npos);
}

} // namespace
} // namespace maskscope
