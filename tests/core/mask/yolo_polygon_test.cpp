// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/yolo_polygon.h"

#include "tests/core/mask/sample_masks.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <sstream>

namespace maskscope {
namespace {

using Json = nlohmann::json;
using test::maskOf;
using test::randomMask;

std::vector<double> numbersOf(const std::string& row) {
    std::istringstream text(row);
    std::vector<double> numbers;
    for (double number = 0; text >> number;)
        numbers.push_back(number);
    return numbers;
}

/// What training code around YOLO does with a row: scale to pixels, fill.
void fill(cv::Mat& canvas, const std::string& row) {
    const std::vector<double> numbers = numbersOf(row);
    std::vector<cv::Point> points;
    for (std::size_t i = 1; i + 1 < numbers.size(); i += 2)
        points.emplace_back(int(std::lround(numbers[i] * canvas.cols)),
            int(std::lround(numbers[i + 1] * canvas.rows)));
    cv::fillPoly(canvas, std::vector<std::vector<cv::Point>>{points}, 1);
}

std::vector<std::uint8_t> filledFromRows(const Mask& mask) {
    cv::Mat canvas = cv::Mat::zeros(mask.height, mask.width, CV_8U);
    for (const Polygon& polygon : polygonsOf(mask)) {
        const auto row = yoloRow(0, polygon, mask.width, mask.height);
        EXPECT_TRUE(row.has_value());
        fill(canvas, row.value_or(""));
    }
    return {canvas.begin<std::uint8_t>(), canvas.end<std::uint8_t>()};
}

TEST(YoloRow, HoldsAllCases) {
    const auto cases = Json::parse(std::ifstream(
        std::filesystem::path(MASKSCOPE_TEST_DATA) / "cases" / "polygons" / "expected.json"));
    ASSERT_EQ(cases["polygons"].size(), 7u);
    for (const auto& [name, polygon] : cases["polygons"].items()) {
        SCOPED_TRACE(name);
        std::vector<std::vector<double>> rows;
        for (const Json& ring : polygon["rings_xy"]) {
            Polygon points;
            for (const Json& point : ring)
                points.push_back({point[0], point[1]});
            if (const auto row = yoloRow(3, points, cases["width"], cases["height"])) {
                rows.push_back(numbersOf(*row));
                EXPECT_EQ(rows.back()[0], 3);
                rows.back().erase(rows.back().begin());
            }
        }
        EXPECT_EQ(!rows.empty(), polygon["exportable"].get<bool>());
        if (!rows.empty()) {
            EXPECT_EQ(Json(rows), polygon["yolo_rows_clamped"]);
        }
    }
}

TEST(YoloRow, StaysWithinTheImage) {
    const auto row = yoloRow(0, {{-1, 5}, {10.000001, 20}, {3, 3}}, 10, 10);
    EXPECT_EQ(row, "0 0.000000 0.500000 1.000000 1.000000 0.300000 0.300000");
}

TEST(YoloPolygon, WritesARowPerPart) {
    EXPECT_EQ(polygonsOf(maskOf({"##..#", "##...", "....#"})).size(), 3u);
    EXPECT_TRUE(polygonsOf(maskOf({"...", "..."})).empty());
}

TEST(YoloPolygon, KeepsHolesPixelsAndLines) {
    for (const Mask& mask :
        {maskOf({"#"}), maskOf({"...", ".#.", "..."}), maskOf({"####"}), maskOf({"#", "#", "#"}),
            maskOf({"#..", ".#.", "..#"}), maskOf({"#####", "#...#", "#.#.#", "#...#", "#####"}),
            maskOf({"#######", "#.#.#.#", "#######", "#..#..#", "#######"}),
            maskOf({".###.", "##.##", ".###."})})
        EXPECT_EQ(filledFromRows(mask), mask.bits);
}

TEST(YoloPolygon, GivesTheMaskBack) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        const Mask mask = randomMask(random, 1 + int(random() % 40), 1 + int(random() % 40));
        EXPECT_EQ(filledFromRows(mask), mask.bits) << "round " << round;
    }
}

} // namespace
} // namespace maskscope
