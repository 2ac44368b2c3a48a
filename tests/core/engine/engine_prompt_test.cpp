// SPDX-License-Identifier: GPL-3.0-or-later
// Clicks and boxes.
#include "tests/core/engine/engine_fixture.h"

namespace maskscope {
namespace {

using test::EngineTest;
using test::requestFor;
using test::Sample;
using test::sample;

TEST_F(EngineTest, SegmentsWhatIsClickedOrBoxed) {
    const Sample picture = sample(0);
    const auto words = run(requestFor(picture));
    ASSERT_FALSE(words->masks.empty());
    const auto [x, y, w, h] = words->masks.front()->bbox;
    Request request = requestFor(picture);
    request.text.clear();
    request.boxes = {{double(x), double(y), double(x + w), double(y + h)}};
    const auto boxed = run(request);
    ASSERT_EQ(boxed->masks.size(), 1U);
    EXPECT_GT(boxed->masks.front()->area, 0);
    EXPECT_EQ(boxed->masks.front()->tokenIndex, -1);
    EXPECT_TRUE(boxed->tokens.empty());

    request.boxes.push_back(
        {0, 0, double(picture.image->width) / 2, double(picture.image->height)});
    EXPECT_EQ(run(request)->masks.size(), 2U);

    request.boxes.clear();
    request.points = {{x + w / 2.0, y + h / 2.0, PointSign::Positive}, {1, 1, PointSign::Negative}};
    EXPECT_EQ(run(request)->masks.size(), 1U);

    request.text = picture.request;
    EXPECT_EQ(run(request)->masks.size(), words->masks.size());
}

TEST_F(EngineTest, AFurtherClickCostsOnePassAndChangesNothing) {
    Request request = requestFor(sample(0));
    request.text.clear();
    const double w = request.images.front()->width, h = request.images.front()->height;
    request.points = {{w / 2, h / 2, PointSign::Positive}, {w / 4, h / 2, PointSign::Negative},
        {w / 2, h / 3, PointSign::Positive}};
    const auto atOnce = run(request);
    run(requestFor(sample(1))); // forgets the clicks
    Request growing = request;
    std::shared_ptr<const Report> last;
    for (std::size_t count = 1; count <= request.points.size(); ++count) {
        growing.points.assign(
            request.points.begin(), request.points.begin() + std::ptrdiff_t(count));
        last = run(growing);
    }
    EXPECT_EQ(last->masks.front()->bits, atOnce->masks.front()->bits);
    EXPECT_EQ(last->masks.front()->score, atOnce->masks.front()->score);
    // Another first click is another object: what is remembered must not leak into it.
    Request other = request;
    other.points.front() = {w / 8, h / 8, PointSign::Positive};
    const auto remembered = run(other);
    run(requestFor(sample(1)));
    EXPECT_EQ(run(other)->masks.front()->bits, remembered->masks.front()->bits);
}

TEST_F(EngineTest, OffersWhatAClickMayMeanAndGoesOnFromAnyOfIt) {
    Request request = requestFor(sample(0));
    request.text.clear();
    const double w = request.images.front()->width, h = request.images.front()->height;
    bool several = false;
    for (int i = 1; i < 6; ++i)
        for (int k = 1; k < 6; ++k) {
            request.meaning = 0;
            request.points = {{w * i / 6, h * k / 6, PointSign::Positive}};
            const auto report = run(request);
            ASSERT_FALSE(report->candidates.empty());
            EXPECT_EQ(report->candidates.front()->bits, report->masks.front()->bits);
            for (const auto& candidate : report->candidates) {
                request.meaning = candidate->index;
                EXPECT_EQ(run(request)->masks.front()->bits, candidate->bits);
            }
            several = several || report->candidates.size() > 1;
        }
    EXPECT_TRUE(several);
    request.meaning = 99;
    EXPECT_EQ(engine().run(request, [](const Event&) {}).error().kind, ErrorKind::Usage);
    request.meaning = 1;
    request.text = "the cake";
    EXPECT_EQ(engine().run(request, [](const Event&) {}).error().kind, ErrorKind::Usage);
}

TEST_F(EngineTest, PredictsOnlyTheStagesThatARunGoesThrough) {
    Request request = requestFor(sample(0));
    request.text.clear();
    request.points = {{100, 100, PointSign::Positive}};
    run(requestFor(sample(1)));
    const auto first = run(request);
    const auto second = run(request);
    EXPECT_EQ(first->extraPeakBytes.count(Stage::Vision), 1U);
    EXPECT_EQ(second->extraPeakBytes.count(Stage::Vision), 0U);
    EXPECT_LT(second->predictedPeakBytes, first->predictedPeakBytes);
}

} // namespace
} // namespace maskscope
