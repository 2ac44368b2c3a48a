// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/scene_composer.h"

#include "core/base/error.h"
#include "core/train/drawing.h"
#include "core/train/layer.h"
#include "tests/core/train/tiny_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <thread>

using namespace maskscope;

namespace {

const SceneComposer& composer() {
    static const SceneComposer kComposer(test::tinyLibrary());
    return kComposer;
}

bool sameScene(const Scene& a, const Scene& b) {
    if (a.image.rgb != b.image.rgb || a.patchClasses != b.patchClasses
        || a.objects.size() != b.objects.size())
        return false;
    return std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(),
        [](const SceneObject& x, const SceneObject& y) {
            return x.classIndex == y.classIndex && x.mask == y.mask && x.colour == y.colour;
        });
}

Sprite square(int side, cv::Vec4b rgba) {
    return Sprite(cv::Mat(side, side, CV_8UC4, cv::Scalar(rgba[0], rgba[1], rgba[2], rgba[3])));
}

} // namespace

TEST(SceneComposer, GivesTheSameBytesForASeedOnAnyThread) {
    std::array<Scene, 6> alone;
    for (std::size_t i = 0; i < alone.size(); ++i)
        alone[i] = composer().compose(SceneSet::Training, i, 96, 64);
    std::array<Scene, 6> together;
    std::array<std::thread, 6> threads;
    for (std::size_t i = 0; i < threads.size(); ++i)
        threads[i] = std::thread(
            [&together, i] { together[i] = composer().compose(SceneSet::Training, i, 96, 64); });
    for (std::thread& thread : threads)
        thread.join();
    for (std::size_t i = 0; i < alone.size(); ++i)
        EXPECT_TRUE(sameScene(alone[i], together[i])) << "seed " << i;
    EXPECT_NE(alone[0].image.rgb, alone[1].image.rgb);
}

TEST(SceneComposer, KeepsTheSeedsOfTheSetsApart) {
    const Scene training = composer().compose(SceneSet::Training, 5, 64, 64);
    const Scene seen = composer().compose(SceneSet::SeenSprites, 5, 64, 64);
    const Scene unseen = composer().compose(SceneSet::UnseenSprites, 5, 64, 64);
    EXPECT_NE(training.image.rgb, seen.image.rgb);
    EXPECT_NE(seen.image.rgb, unseen.image.rgb);
    for (const SceneObject& object : seen.objects)
        EXPECT_TRUE(object.seen);
    for (const SceneObject& object : unseen.objects)
        EXPECT_FALSE(object.seen);
}

TEST(SceneComposer, DescribesEveryObjectByItsVisiblePixels) {
    const int unknown = composer().library().classes().unknown();
    std::map<int, int> classes;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const auto set = seed % 2 == 0 ? SceneSet::Training : SceneSet::SeenSprites;
        const Scene scene = composer().compose(set, seed, 128, 96);
        ASSERT_EQ(scene.image.rgb.size(), 128U * 96U * 3U);
        std::vector<int> owners(128 * 96, 0);
        EXPECT_GE(scene.objects.size(), 1U);
        EXPECT_LE(scene.objects.size(), 20U);
        EXPECT_TRUE(set == SceneSet::Training || scene.objects.size() <= 7U
            || scene.countOf(scene.objects[0].classIndex) == int(scene.objects.size()))
            << "a crowd to be judged by is of one class";
        for (const SceneObject& object : scene.objects) {
            ++classes[object.classIndex];
            ASSERT_EQ(object.mask.size(), owners.size());
            int left = 128;
            int top = 96;
            int right = -1;
            int bottom = -1;
            std::int64_t area = 0;
            for (int y = 0; y < 96; ++y)
                for (int x = 0; x < 128; ++x) {
                    const auto at = static_cast<std::size_t>(y * 128 + x);
                    if (object.mask[at] == 0)
                        continue;
                    ASSERT_EQ(object.mask[at], 1);
                    ++owners[at];
                    ++area;
                    left = std::min(left, x);
                    top = std::min(top, y);
                    right = std::max(right, x);
                    bottom = std::max(bottom, y);
                }
            EXPECT_EQ(object.area, area);
            EXPECT_GE(object.area, 40);
            EXPECT_GE(object.fullArea, object.area);
            EXPECT_EQ(
                object.bbox, (std::array<int, 4>{left, top, right - left + 1, bottom - top + 1}));
        }
        EXPECT_LE(*std::max_element(owners.begin(), owners.end()), 1) << "masks overlap";
    }
    EXPECT_EQ(classes.size(), 5U) << "four named kinds and the unknown one";
    EXPECT_GT(classes[unknown], 0);
}

TEST(SceneComposer, NamesEachPatchByTheMajorityOfItsPixels) {
    const int background = composer().library().classes().background();
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Scene scene = composer().compose(SceneSet::Training, seed, 96, 64);
        ASSERT_EQ(scene.patchClasses.size(), 6U * 4U);
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 6; ++column) {
                std::map<int, int> votes;
                for (int y = row * 16; y < row * 16 + 16; ++y)
                    for (int x = column * 16; x < column * 16 + 16; ++x) {
                        int kind = background;
                        for (const SceneObject& object : scene.objects)
                            if (object.mask[static_cast<std::size_t>(y * 96 + x)] != 0)
                                kind = object.classIndex;
                        ++votes[kind];
                    }
                const int given = scene.patchClasses[static_cast<std::size_t>(row * 6 + column)];
                for (const auto& [kind, count] : votes)
                    EXPECT_GE(votes[given], count);
            }
    }
}

TEST(SceneComposer, RefusesSizesThatAreNoMultipleOf32) {
    EXPECT_THROW(composer().compose(SceneSet::Training, 0, 100, 96), Failure);
    EXPECT_THROW(composer().compose(SceneSet::Training, 0, 32, 64), Failure);
}

TEST(Layer, LiesExactlyWhereItsPoseSays) {
    Pose pose;
    pose.side = 20;
    pose.middle = {30, 25};
    const Layer layer = layOut(square(20, {255, 0, 0, 255}), pose, {64, 64});
    EXPECT_EQ(layer.full, 400);
    cv::Mat scene(64, 64, CV_8UC3, cv::Scalar(0, 0, 0));
    cv::Mat labels(64, 64, CV_8U, cv::Scalar(0));
    paste(scene, labels, layer, 1);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            const bool inside = x >= 20 && x < 40 && y >= 15 && y < 35;
            EXPECT_EQ(labels.at<std::uint8_t>(y, x), inside ? 1 : 0) << x << "," << y;
            EXPECT_EQ(
                scene.at<cv::Vec3b>(y, x), inside ? cv::Vec3b(255, 0, 0) : cv::Vec3b(0, 0, 0));
        }
}

TEST(Layer, KeepsItsMiddleWhenTurnedMirroredAndScaled) {
    const Sprite sprite = square(40, {0, 0, 255, 255});
    for (const double turn : {0.0, 0.5, 2.0})
        for (const bool mirrored : {false, true}) {
            Pose pose;
            pose.side = 50;
            pose.turn = turn;
            pose.mirrored = mirrored;
            pose.middle = {61, 59};
            const Layer layer = layOut(sprite, pose, {128, 128});
            EXPECT_NEAR(double(layer.full), 2500, 60);
            cv::Mat alpha;
            cv::extractChannel(layer.pixels, alpha, 3);
            const cv::Moments moments = cv::moments(alpha);
            EXPECT_NEAR(moments.m10 / moments.m00 + layer.where.x + 0.5, 61, 0.1);
            EXPECT_NEAR(moments.m01 / moments.m00 + layer.where.y + 0.5, 59, 0.1);
        }
}

TEST(Layer, KeepsAreaAndMiddleWhenStretchedAndSheared) {
    Pose pose;
    pose.side = 60;
    pose.turn = 0.3;
    pose.stretch = 1.3;
    pose.shear = -0.25;
    pose.middle = {64, 60};
    const Layer layer = layOut(square(40, {0, 0, 255, 255}), pose, {160, 160});
    EXPECT_NEAR(double(layer.full), 3600, 80); // the map's determinant is the scale's alone
    cv::Mat alpha;
    cv::extractChannel(layer.pixels, alpha, 3);
    const cv::Moments moments = cv::moments(alpha);
    EXPECT_NEAR(moments.m10 / moments.m00 + layer.where.x + 0.5, 64, 0.1);
    EXPECT_NEAR(moments.m01 / moments.m00 + layer.where.y + 0.5, 60, 0.1);
    // Second moments of a square under the map: side^2 / 12 * M M^T.
    const double x = 3600.0 / 12
        * (std::pow(std::cos(0.3) * 1.3, 2)
            + std::pow(std::cos(0.3) * -0.25 - std::sin(0.3) / 1.3, 2));
    EXPECT_NEAR(moments.mu20 / moments.m00, x, 0.03 * x);
}

TEST(Layer, FrontObjectsTakePixelsFromThoseBehind) {
    cv::Mat scene(64, 64, CV_8UC3, cv::Scalar(0, 0, 0));
    cv::Mat labels(64, 64, CV_8U, cv::Scalar(0));
    Pose pose;
    pose.side = 20;
    pose.middle = {20, 20};
    paste(scene, labels, layOut(square(20, {255, 0, 0, 255}), pose, {64, 64}), 1);
    pose.middle = {30, 30};
    paste(scene, labels, layOut(square(20, {0, 100, 0, 100}), pose, {64, 64}), 2);
    EXPECT_EQ(cv::countNonZero(labels == 1), 400) << "a thin veil hides nothing";
    EXPECT_EQ(cv::countNonZero(labels == 2), 0);
    EXPECT_EQ(scene.at<cv::Vec3b>(25, 25), cv::Vec3b(155, 100, 0));
    paste(scene, labels, layOut(square(20, {0, 0, 255, 255}), pose, {64, 64}), 3);
    EXPECT_EQ(cv::countNonZero(labels == 1), 300);
    EXPECT_EQ(cv::countNonZero(labels == 3), 400);
}

TEST(Layer, CutAtTheFrameItStillKnowsItsFullSize) {
    Pose pose;
    pose.side = 20;
    pose.middle = {0, 32};
    const Layer layer = layOut(square(20, {9, 9, 9, 255}), pose, {64, 64});
    EXPECT_EQ(layer.full, 400);
    EXPECT_EQ(layer.visible, 200);
    pose.middle = {-40, 32};
    EXPECT_TRUE(layOut(square(20, {9, 9, 9, 255}), pose, {64, 64}).where.empty());
}

TEST(Layer, NamesTheColourMostOfItHas) {
    const auto named = [](int red, int green, int blue) {
        return colourOf(cv::Mat(30, 30, CV_8UC4, cv::Scalar(red, green, blue, 255)));
    };
    EXPECT_EQ(named(210, 30, 30), ObjectColour::Red);
    EXPECT_EQ(named(240, 140, 20), ObjectColour::Orange);
    EXPECT_EQ(named(240, 220, 40), ObjectColour::Yellow);
    EXPECT_EQ(named(40, 160, 50), ObjectColour::Green);
    EXPECT_EQ(named(40, 80, 220), ObjectColour::Blue);
    EXPECT_EQ(named(130, 50, 180), ObjectColour::Purple);
    EXPECT_EQ(named(245, 130, 190), ObjectColour::Pink);
    EXPECT_EQ(named(120, 75, 40), ObjectColour::Brown);
    EXPECT_EQ(named(20, 20, 20), ObjectColour::Black);
    EXPECT_EQ(named(250, 250, 250), ObjectColour::White);
    EXPECT_EQ(named(128, 128, 128), ObjectColour::Grey);
    cv::Mat halves(30, 30, CV_8UC4, cv::Scalar(210, 30, 30, 255));
    halves.colRange(0, 15).setTo(cv::Scalar(40, 80, 220, 255));
    EXPECT_EQ(colourOf(halves), ObjectColour::Mixed);
}

TEST(Drawing, EveryNameGivesAPictureThatFillsItsFrame) {
    for (const std::string name :
        {"star", "heart", "ball", "coin", "sun", "moon", "cloud", "balloon", "flower", "flag"})
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            RandomStream random(seed);
            const cv::Mat picture = drawObject(name, random);
            cv::Mat alpha;
            cv::extractChannel(picture, alpha, 3);
            EXPECT_GE(std::max(picture.rows, picture.cols), 120) << name << seed;
            EXPECT_EQ(cv::boundingRect(alpha > 20).size(), picture.size()) << name << seed;
            EXPECT_GE(cv::countNonZero(alpha > 127), 0.15 * double(picture.total()))
                << name << seed;
        }
    RandomStream random(1);
    EXPECT_THROW(drawObject("teapot", random), Failure);
}

TEST(ClassList, RefusesWhatTheSceneComposerCannotUse) {
    const test::TemporaryFolder folder;
    const auto refused = [&folder](const std::string& json) {
        try {
            ClassList::load(folder.write("list.json", json));
        } catch (const Failure& failure) {
            return failure.error().sentence;
        }
        return std::string();
    };
    const std::string rest = R"("nameless": {"sprites": [], "held_out": []},
        "backgrounds": {"sprites": [], "held_out": []}})";
    const std::string cat = R"({"singular": "cat", "plural": "cats", "korean": "고양이",
        "imagenet": [], "sprites": ["a"], "held_out": []})";
    EXPECT_EQ(refused("{\"classes\": [" + cat + "], " + rest), "");
    EXPECT_NE(refused("{\"classes\": [" + cat + "," + cat + "], " + rest).find("\"cat\" twice"),
        std::string::npos);
    EXPECT_NE(refused("{\"classes\": [{}], " + rest).find("not as expected"), std::string::npos);
    EXPECT_NE(refused("{").find("not as expected"), std::string::npos);
    EXPECT_THROW(ClassList::load(folder.path() / "none.json"), Failure);
}

TEST(ClassList, TheShippedOneIsWhole) {
    const ClassList classes = ClassList::load(MASKSCOPE_RESOURCES "/models/classes.json");
    EXPECT_GE(classes.size(), 60);
    for (const ObjectClass& kind : classes.all()) {
        EXPECT_TRUE(kind.pictures.sprites.size() >= 6 || !kind.drawn.empty()) << kind.singular;
        EXPECT_GE(kind.pictures.heldOut.size(), 1U) << kind.singular;
        EXPECT_FALSE(kind.korean.empty()) << kind.singular;
        for (const int id : kind.imageNet)
            EXPECT_TRUE(id >= 0 && id < 1000) << kind.singular;
    }
    EXPECT_EQ(classes.at(classes.indexOf("cat")).plural, "cats");
    EXPECT_EQ(classes.indexOf("gearbox"), -1);
}
