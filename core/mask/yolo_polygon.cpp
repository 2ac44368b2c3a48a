// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/yolo_polygon.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <opencv2/imgproc.hpp>

namespace maskscope {
namespace {

using Contour = std::vector<cv::Point>;

/// What cv::findContours gives with two levels: parts, and in each its holes.
struct Part {
    Contour border;
    std::vector<Contour> holes;
};

std::vector<Part> partsOf(const cv::Mat& bits) {
    std::vector<Contour> contours;
    std::vector<cv::Vec4i> hierarchy; // next, previous, first child, parent
    cv::findContours(bits, contours, hierarchy, cv::RETR_CCOMP, cv::CHAIN_APPROX_NONE);
    std::vector<Part> parts;
    std::vector<std::size_t> partOf(contours.size());
    for (std::size_t i = 0; i < contours.size(); ++i) {
        if (hierarchy[i][3] >= 0)
            continue;
        partOf[i] = parts.size();
        parts.push_back({contours[i], {}});
    }
    for (std::size_t i = 0; i < contours.size(); ++i)
        if (hierarchy[i][3] >= 0)
            parts[partOf[std::size_t(hierarchy[i][3])]].holes.push_back(contours[i]);
    return parts;
}

Contour::const_iterator leftmost(const Contour& contour) {
    return std::min_element(contour.begin(), contour.end(),
        [](const cv::Point& a, const cv::Point& b) { return a.x < b.x; });
}

// Walks from the hole's leftmost pixel to the left through the mask; the last pixel before the
// background lies on the border or on a hole that begins further to the left and so is joined
// already.
void joinHole(Contour& border, const Contour& hole, const cv::Mat& bits) {
    const auto start = leftmost(hole);
    cv::Point end = *start;
    while (end.x > 0 && bits.at<std::uint8_t>(end.y, end.x - 1) != 0)
        --end.x;
    const auto place = std::find(border.begin(), border.end(), end);
    Contour detour(start, hole.end());
    detour.insert(detour.end(), hole.begin(), start + 1);
    detour.push_back(end);
    if (place != border.end())
        border.insert(place + 1, detour.begin(), detour.end());
}

bool isOnTheWay(const cv::Point& before, const cv::Point& point, const cv::Point& after) {
    const cv::Point in = point - before;
    const cv::Point out = after - point;
    return in.cross(out) == 0 && in.dot(out) > 0;
}

Polygon simplified(const Contour& contour) {
    Polygon polygon;
    const std::size_t count = contour.size();
    for (std::size_t i = 0; i < count; ++i)
        if (count < 3
            || !isOnTheWay(contour[(i + count - 1) % count], contour[i], contour[(i + 1) % count]))
            polygon.push_back({double(contour[i].x), double(contour[i].y)});
    // A single pixel or a line: the same points again, which fill the same pixels.
    for (std::size_t i = 0; polygon.size() < 3; ++i)
        polygon.push_back(polygon[i]);
    return polygon;
}

} // namespace

std::vector<Polygon> polygonsOf(const Mask& mask) {
    cv::Mat bits(mask.height, mask.width, CV_8U);
    std::copy(mask.bits.begin(), mask.bits.end(), bits.begin<std::uint8_t>());
    std::vector<Polygon> polygons;
    for (Part& part : partsOf(bits)) {
        std::sort(part.holes.begin(), part.holes.end(),
            [](const Contour& a, const Contour& b) { return leftmost(a)->x < leftmost(b)->x; });
        for (const Contour& hole : part.holes)
            joinHole(part.border, hole, bits);
        polygons.push_back(simplified(part.border));
    }
    return polygons;
}

std::optional<std::string> yoloRow(
    int classNumber, const Polygon& polygon, int imageWidth, int imageHeight) {
    if (polygon.size() < 3)
        return {};
    std::string row = std::to_string(classNumber);
    const auto append = [&](double value) {
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), " %.6f", std::clamp(value, 0.0, 1.0));
        row += text.data();
    };
    for (const PolygonPoint& point : polygon) {
        append(point.x / imageWidth);
        append(point.y / imageHeight);
    }
    return row;
}

} // namespace maskscope
