// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/request_check.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

#include <limits>

namespace maskscope {
namespace {

Request requestOn(int width, int height) {
    auto image = std::make_shared<Image>();
    image->width = width;
    image->height = height;
    image->rgb.resize(std::size_t(width) * std::size_t(height) * 3);
    Request request;
    request.images = {image};
    request.text = "the cat";
    return request;
}

std::string refusalOf(const Request& request, ErrorKind kind = ErrorKind::Usage) {
    try {
        checkRequest(request);
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), kind);
        return failure.error().sentence;
    }
    return {};
}

TEST(RequestCheck, TakesWordsPointsAndBoxes) {
    Request request = requestOn(40, 30);
    EXPECT_EQ(refusalOf(request), "");
    request.text.clear();
    request.points = {{0, 0, PointSign::Positive}, {40, 30, PointSign::Negative}};
    EXPECT_EQ(refusalOf(request), "");
    request.boxes = {{-5, -5, 50, 50}};
    EXPECT_EQ(refusalOf(request), "");
    request.points.clear();
    request.boxes.push_back({1, 1, 2, 2});
    EXPECT_EQ(refusalOf(request), "");
}

TEST(RequestCheck, NamesTheFiguresOfWhatItRefuses) {
    Request request = requestOn(40, 30);
    request.points = {{41, 3, PointSign::Positive}};
    const std::string sentence = refusalOf(request);
    EXPECT_NE(sentence.find("41, 3"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("40 x 30"), std::string::npos) << sentence;
}

TEST(RequestCheck, RefusesWhatCannotBeMeant) {
    Request request = requestOn(40, 30);
    request.text = " \n\t";
    EXPECT_NE(refusalOf(request), "");
    request.points = {{1, 1, PointSign::Negative}};
    EXPECT_NE(refusalOf(request), "");
    request.points = {{std::numeric_limits<double>::quiet_NaN(), 1, PointSign::Positive}};
    EXPECT_NE(refusalOf(request), "");
    request.points = {{1, 1, PointSign::Positive}};
    request.boxes = {{1, 1, 5, 5}, {6, 6, 9, 9}};
    EXPECT_NE(refusalOf(request), "");
    request.points.clear();
    request.boxes = {{50, 1, 60, 5}};
    EXPECT_NE(refusalOf(request), "");
    request.boxes = {{5, 5, 5, 9}};
    EXPECT_NE(refusalOf(request), "");
    request = requestOn(40, 30);
    request.settings.sampling.topP = 1.5;
    EXPECT_NE(refusalOf(request), "");
    request = requestOn(40, 30);
    request.settings.maxNewTokens = 0;
    EXPECT_NE(refusalOf(request), "");
    request = requestOn(40, 30);
    request.images.clear();
    EXPECT_NE(refusalOf(request), "");
    request = requestOn(40, 30);
    request.settings.attention = AttentionPath::Ring;
    request.settings.ringDevices = {"cuda:0", "cuda:1"};
    EXPECT_NE(refusalOf(request, ErrorKind::Device), "");
}

} // namespace
} // namespace maskscope
