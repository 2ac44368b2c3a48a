// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/canvas.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope {

namespace {

constexpr std::array<std::array<int, 3>, 11> kPaints{
    {{210, 40, 40}, {235, 130, 30}, {245, 205, 40}, {60, 160, 60}, {50, 100, 210}, {130, 60, 170},
        {240, 130, 180}, {130, 80, 40}, {30, 30, 35}, {245, 245, 245}, {140, 140, 145}}};
constexpr int kShift = 4; ///< binary places of a coordinate that OpenCV draws with

std::vector<cv::Point> fixedPoints(const Outline& outline) {
    std::vector<cv::Point> points;
    for (const cv::Point2d& p : outline)
        points.emplace_back(cvRound(p.x * (1 << kShift)), cvRound(p.y * (1 << kShift)));
    return points;
}

cv::Mat coverOf(const Outline& outline) {
    cv::Mat cover(Canvas::kSide, Canvas::kSide, CV_8U, cv::Scalar(0));
    const std::vector<std::vector<cv::Point>> polygons{fixedPoints(outline)};
    cv::fillPoly(cover, polygons, cv::Scalar(255), cv::LINE_AA, kShift);
    return cover;
}

/// Lays paint over premultiplied pixels.
template <class PaintAt>
void apply(cv::Mat& pixels, const cv::Mat& cover, PaintAt paintAt) {
    for (int y = 0; y < pixels.rows; ++y)
        for (int x = 0; x < pixels.cols; ++x) {
            const double share = cover.at<std::uint8_t>(y, x) / 255.0;
            if (share == 0)
                continue;
            const Paint paint = paintAt(x, y);
            cv::Vec4b& pixel = pixels.at<cv::Vec4b>(y, x);
            for (int c = 0; c < 3; ++c)
                pixel[c]
                    = cv::saturate_cast<std::uint8_t>(pixel[c] * (1 - share) + paint[c] * share);
            pixel[3] = cv::saturate_cast<std::uint8_t>(pixel[3] * (1 - share) + 255 * share);
        }
}

cv::Mat alphaOf(const cv::Mat& pixels) {
    cv::Mat alpha;
    cv::extractChannel(pixels, alpha, 3);
    return alpha;
}

} // namespace

void Canvas::fill(const Outline& outline, const Paint& paint) {
    apply(m_pixels, coverOf(outline), [&paint](int, int) { return paint; });
}

void Canvas::fillShaded(const Outline& outline, const Paint& paint, RandomStream& random) {
    const double angle = random.real(0, kTurn);
    const double strength = random.real(0, 0.45);
    const double x0 = kMiddle + 45 * std::cos(angle);
    const double y0 = kMiddle + 45 * std::sin(angle);
    apply(m_pixels, coverOf(outline), [&](int x, int y) {
        const double far = std::hypot(x - x0, y - y0) / kSide;
        return mixOf(mixOf(paint, {255, 255, 255}, strength * std::exp(-far * far * 30)), {0, 0, 0},
            strength * std::min(1.0, far));
    });
}

void Canvas::fillInside(const Outline& outline, const Paint& paint) {
    const cv::Mat cover = cv::min(coverOf(outline), alphaOf(m_pixels));
    apply(m_pixels, cover, [&paint](int, int) { return paint; });
}

void Canvas::line(const Outline& outline, const Paint& paint, int width) {
    cv::Mat cover(kSide, kSide, CV_8U, cv::Scalar(0));
    cv::polylines(cover, fixedPoints(outline), true, cv::Scalar(255), width, cv::LINE_AA, kShift);
    apply(m_pixels, cover, [&paint](int, int) { return paint; });
}

cv::Mat Canvas::cut() const {
    return m_pixels(cv::boundingRect(alphaOf(m_pixels) > 20)).clone();
}

Outline ellipse(cv::Point2d middle, double rx, double ry, double turn) {
    Outline outline;
    for (int i = 0; i < 72; ++i) {
        const double angle = kTurn * i / 72;
        const double x = rx * std::cos(angle);
        const double y = ry * std::sin(angle);
        outline.emplace_back(middle.x + x * std::cos(turn) - y * std::sin(turn),
            middle.y + x * std::sin(turn) + y * std::cos(turn));
    }
    return outline;
}

Outline starOutline(int points, double outer, double inner) {
    Outline outline;
    for (int i = 0; i < 2 * points; ++i) {
        const double angle = kTurn * i / (2 * points);
        const double radius = i % 2 == 0 ? outer : inner;
        outline.emplace_back(
            Canvas::kMiddle + radius * std::sin(angle), Canvas::kMiddle - radius * std::cos(angle));
    }
    return outline;
}

Paint vary(Paint paint, RandomStream& random) {
    const double gain = random.real(0.8, 1.15);
    for (int c = 0; c < 3; ++c)
        paint[c] = std::clamp(paint[c] * gain + random.real(-20, 20), 0.0, 255.0);
    return paint;
}

Paint anyPaint(RandomStream& random) {
    const auto& paint = random.pick(kPaints);
    return vary({double(paint[0]), double(paint[1]), double(paint[2])}, random);
}

Paint mixOf(const Paint& a, const Paint& b, double share) {
    return a * (1 - share) + b * share;
}

} // namespace maskscope
