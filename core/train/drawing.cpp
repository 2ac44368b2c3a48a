// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/drawing.h"

#include "core/base/error.h"
#include "core/train/canvas.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace maskscope {

namespace {

constexpr int kSide = Canvas::kSide;
constexpr double kMiddle = Canvas::kMiddle;

void maybeRim(Canvas& canvas, const Outline& outline, RandomStream& random) {
    if (random.chance(0.5))
        canvas.line(outline, vary({40, 35, 30}, random), random.between(2, 7));
}

void drawStar(Canvas& canvas, RandomStream& random) {
    const int points = random.chance(0.75) ? 5 : random.between(4, 8);
    const Outline outline = starOutline(points, 92, 92 * random.real(0.36, 0.55));
    const Paint colour = random.chance(0.5) ? vary({245, 200, 40}, random) : anyPaint(random);
    canvas.fillShaded(outline, colour, random);
    maybeRim(canvas, outline, random);
}

void drawHeart(Canvas& canvas, RandomStream& random) {
    Outline outline;
    const double wide = random.real(4.6, 5.6);
    const double high = random.real(4.6, 5.4);
    for (int i = 0; i < 90; ++i) {
        const double t = kTurn * i / 90;
        const double x = 16 * std::pow(std::sin(t), 3);
        const double y
            = 13 * std::cos(t) - 5 * std::cos(2 * t) - 2 * std::cos(3 * t) - std::cos(4 * t);
        outline.emplace_back(kMiddle + wide * x, kMiddle - high * y);
    }
    const Paint colour = random.chance(0.5) ? vary({215, 40, 60}, random) : anyPaint(random);
    canvas.fillShaded(outline, colour, random);
    maybeRim(canvas, outline, random);
}

void drawBall(Canvas& canvas, RandomStream& random) {
    const Outline outline = ellipse({kMiddle, kMiddle}, 92, 92);
    canvas.fillShaded(outline, anyPaint(random), random);
    const Paint second = anyPaint(random);
    switch (random.below(4)) {
    case 0: { // a beach ball's segments
        const int parts = random.between(3, 4);
        const double turn = random.real(0, kTurn);
        const cv::Point2d pole{kMiddle + random.real(-30, 30), kMiddle + random.real(-30, 30)};
        for (int i = 0; i < parts; ++i) {
            Outline part{pole};
            for (int k = 0; k <= 12; ++k) {
                const double angle = turn + kTurn * (2 * i + k / 12.0) / (2 * parts);
                part.emplace_back(kMiddle + 92 * std::cos(angle), kMiddle + 92 * std::sin(angle));
            }
            canvas.fillInside(part, i % 2 == 0 ? second : anyPaint(random));
        }
        break;
    }
    case 1: // a band
        canvas.fillInside(
            ellipse({kMiddle, kMiddle}, 120, random.real(15, 35), random.real(0, kTurn)), second);
        break;
    case 2: // spots
        for (int i = random.between(3, 8); i > 0; --i)
            canvas.fillInside(ellipse({random.real(20, 180), random.real(20, 180)},
                                  random.real(8, 22), random.real(8, 22)),
                second);
        break;
    default: // plain
        break;
    }
    maybeRim(canvas, outline, random);
}

void drawCoin(Canvas& canvas, RandomStream& random) {
    static constexpr std::array<std::array<int, 3>, 4> kMetal{
        {{215, 170, 60}, {190, 190, 195}, {175, 105, 60}, {120, 110, 95}}};
    const auto& paint = random.pick(kMetal);
    const Paint metal = vary({double(paint[0]), double(paint[1]), double(paint[2])}, random);
    const double flat = random.chance(0.7) ? 1 : random.real(0.6, 1);
    const Outline outline = ellipse({kMiddle, kMiddle}, 92, 92 * flat);
    canvas.fillShaded(outline, metal, random);
    canvas.line(ellipse({kMiddle, kMiddle}, 80, 80 * flat), metal * 0.75, random.between(2, 6));
    const Paint relief = metal * random.real(0.6, 0.85);
    if (random.chance(0.5)) { // a head in profile
        canvas.fill(
            ellipse({kMiddle + random.real(-8, 8), kMiddle - 15 * flat}, 32, 38 * flat), relief);
        canvas.fill(ellipse({kMiddle, kMiddle + 42 * flat}, 45, 22 * flat), relief);
    } else {
        for (int i = random.between(2, 5); i > 0; --i)
            canvas.line(ellipse({random.real(65, 135), kMiddle + random.real(-35, 35) * flat},
                            random.real(6, 24), random.real(6, 24) * flat),
                relief, random.between(2, 5));
    }
    canvas.line(outline, metal * 0.6, random.between(2, 4));
}

void drawSun(Canvas& canvas, RandomStream& random) {
    const Paint colour = vary({250, 190, 40}, random);
    const int rays = random.between(8, 16);
    const double radius = random.real(45, 62);
    if (random.chance(0.5)) {
        canvas.fill(starOutline(rays, 94, radius), vary({250, 160, 40}, random));
    } else {
        for (int i = 0; i < rays; ++i) {
            const double angle = kTurn * i / rays;
            const cv::Point2d out{std::cos(angle), std::sin(angle)};
            const cv::Point2d middle{kMiddle, kMiddle};
            canvas.line(
                {middle + out * (radius - 4), middle + out * 94}, colour, random.between(6, 10));
        }
    }
    canvas.fillShaded(ellipse({kMiddle, kMiddle}, radius, radius), colour, random);
}

void drawMoon(Canvas& canvas, RandomStream& random) {
    Outline outline;
    const double bite = random.real(-0.1, 0.65);
    for (int i = 0; i <= 40; ++i) {
        const double angle = std::numbers::pi * (i / 40.0 - 0.5);
        outline.emplace_back(kMiddle - 30 + 90 * std::cos(angle), kMiddle + 92 * std::sin(angle));
    }
    for (int i = 40; i >= 0; --i) {
        const double angle = std::numbers::pi * (i / 40.0 - 0.5);
        outline.emplace_back(
            kMiddle - 30 + 90 * bite * std::cos(angle), kMiddle + 92 * std::sin(angle));
    }
    const Paint colour
        = random.chance(0.6) ? vary({245, 220, 110}, random) : vary({205, 205, 210}, random);
    canvas.fillShaded(outline, colour, random);
    for (int i = random.between(0, 4); i > 0; --i)
        canvas.fillInside(ellipse({random.real(90, 160), random.real(40, 160)}, random.real(5, 14),
                              random.real(5, 14)),
            colour * 0.85);
}

void drawCloud(Canvas& canvas, RandomStream& random) {
    const Paint colour
        = vary(random.chance(0.7) ? Paint(240, 243, 248) : Paint(150, 160, 175), random);
    const int puffs = random.between(3, 5);
    for (int i = 0; i < puffs; ++i) {
        const double x = 45 + 110.0 * i / (puffs - 1);
        const double radius = random.real(26, 48);
        canvas.fill(ellipse({x, 120 - radius * 0.55}, radius, radius), colour);
    }
    canvas.fill(ellipse({kMiddle, 122}, 90, 26), colour * random.real(0.93, 1.0));
}

void drawBalloon(Canvas& canvas, RandomStream& random) {
    const Paint colour = anyPaint(random);
    const double bottom = random.real(118, 130);
    canvas.line({{kMiddle, bottom}, {kMiddle + random.real(-20, 20), 194}}, colour * 0.5,
        random.between(2, 4));
    canvas.fill({{kMiddle, bottom - 6}, {kMiddle - 8, bottom + 10}, {kMiddle + 8, bottom + 10}},
        colour * 0.85);
    Outline outline = ellipse({kMiddle, bottom - 60}, random.real(44, 54), 60);
    for (cv::Point2d& p : outline)
        p.x = kMiddle + (p.x - kMiddle) * (1 - 0.25 * std::max(0.0, (p.y - bottom + 60) / 60));
    canvas.fillShaded(outline, colour, random);
    canvas.fillInside(
        ellipse({kMiddle - 20, bottom - 85}, 8, 16, 0.4), mixOf(colour, {255, 255, 255}, 0.6));
}

void drawFlower(Canvas& canvas, RandomStream& random) {
    const Paint colour = anyPaint(random);
    if (random.chance(0.4)) {
        canvas.line({{kMiddle, 90}, {kMiddle + random.real(-15, 15), 195}},
            vary({60, 140, 50}, random), random.between(5, 9));
        canvas.fill(ellipse({kMiddle + 20, 160}, 22, 9, -0.5), vary({60, 150, 50}, random));
    }
    const int petals = random.between(5, 9);
    const double size = random.real(0.6, 1.0) * kTurn / petals * 45;
    const double turn = random.real(0, kTurn);
    for (int i = 0; i < petals; ++i) {
        const double angle = turn + kTurn * i / petals;
        const cv::Point2d middle{kMiddle + 38 * std::cos(angle), 78 + 38 * std::sin(angle)};
        const Outline petal = ellipse(middle, 36, size, angle);
        canvas.fill(petal, vary(colour, random));
        canvas.line(petal, colour * 0.75, 2);
    }
    canvas.fillShaded(ellipse({kMiddle, 78}, 20, 20),
        random.chance(0.7) ? vary({240, 190, 50}, random) : anyPaint(random), random);
}

void drawFlag(Canvas& canvas, RandomStream& random) {
    const bool pole = random.chance(0.75);
    const double left = pole ? 22 : 8;
    const double high = random.real(85, 115);
    const double wave = random.chance(0.6) ? random.real(3, 10) : 0;
    const double phase = random.real(0, kTurn);
    const auto at = [&](double u, double v) {
        return cv::Point2d(left + u * (192 - left),
            20 + v * high + wave * std::sin(phase + u * 5) - wave * std::sin(phase));
    };
    const auto cloth = [&](double u0, double v0, double u1, double v1) {
        Outline outline;
        for (int i = 0; i <= 16; ++i)
            outline.push_back(at(u0 + (u1 - u0) * i / 16, v0));
        for (int i = 16; i >= 0; --i)
            outline.push_back(at(u0 + (u1 - u0) * i / 16, v1));
        return outline;
    };
    if (pole)
        canvas.line({{left - 5, 8}, {left - 5, 194}}, vary({120, 90, 60}, random), 8);
    canvas.fill(cloth(0, 0, 1, 1), anyPaint(random));
    const int bands = random.between(1, 3);
    const bool upright = random.chance(0.4);
    for (int i = 1; i < bands; ++i) {
        const double a = double(i) / bands;
        const double b = double(i + 1) / bands;
        canvas.fillInside(upright ? cloth(a, 0, b, 1) : cloth(0, a, 1, b), anyPaint(random));
    }
    if (random.chance(0.35))
        canvas.fillInside(ellipse(at(0.5, 0.5), 22, 22), anyPaint(random));
}

} // namespace

cv::Mat drawObject(const std::string& name, RandomStream& random) {
    static const std::vector<std::pair<std::string, void (*)(Canvas&, RandomStream&)>> kDrawings{
        {"star", drawStar}, {"heart", drawHeart}, {"ball", drawBall}, {"coin", drawCoin},
        {"sun", drawSun}, {"moon", drawMoon}, {"cloud", drawCloud}, {"balloon", drawBalloon},
        {"flower", drawFlower}, {"flag", drawFlag}};
    for (const auto& [known, draw] : kDrawings)
        if (known == name) {
            Canvas canvas;
            draw(canvas, random);
            return canvas.cut();
        }
    throw Failure(ErrorKind::Input,
        "There is no drawing \"" + name + "\"; see core/train/drawing.h for the names.");
}

cv::Mat drawBlob(const cv::Mat& texture, RandomStream& random) {
    const double ratio = random.chance(0.25) ? random.real(3, 8) : random.real(1, 2.5);
    const cv::Size size(kSide, std::max(20, cvRound(kSide / ratio)));
    std::array<double, 5> swing{};
    std::array<double, 5> phase{};
    for (std::size_t k = 0; k < swing.size(); ++k) {
        swing[k] = random.real(0, 0.28) / double(k + 1);
        phase[k] = random.real(0, kTurn);
    }
    std::vector<std::vector<cv::Point>> polygon(1);
    for (int i = 0; i < 96; ++i) {
        const double angle = kTurn * i / 96;
        double radius = 0.62;
        for (std::size_t k = 0; k < swing.size(); ++k)
            radius += 0.62 * swing[k] * std::sin(double(k + 2) * angle + phase[k]);
        const double x = size.width * (0.5 + 0.5 * radius * std::cos(angle));
        const double y = size.height * (0.5 + 0.5 * radius * std::sin(angle));
        polygon[0].emplace_back(cvRound(x * 16), cvRound(y * 16));
    }
    cv::Mat cover(size, CV_8U, cv::Scalar(0));
    cv::fillPoly(cover, polygon, cv::Scalar(255), cv::LINE_AA, 4);

    const int wide = std::min(texture.cols, random.between(100, 500));
    const int high = std::clamp(wide * size.height / size.width, 1, texture.rows);
    cv::Mat part;
    cv::resize(texture({random.below(texture.cols - wide + 1),
                   random.below(texture.rows - high + 1), wide, high}),
        part, size, 0, 0, cv::INTER_LINEAR);
    cv::Mat blob(size, CV_8UC4);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const int alpha = cover.at<std::uint8_t>(y, x);
            const cv::Vec3b& colour = part.at<cv::Vec3b>(y, x);
            cv::Vec4b& pixel = blob.at<cv::Vec4b>(y, x);
            for (int c = 0; c < 3; ++c)
                pixel[c] = static_cast<std::uint8_t>((colour[c] * alpha + 127) / 255);
            pixel[3] = static_cast<std::uint8_t>(alpha);
        }
    return blob(cv::boundingRect(cover > 20)).clone();
}

} // namespace maskscope
