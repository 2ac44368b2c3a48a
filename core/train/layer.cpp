// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/layer.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope {

namespace {

constexpr int kHalfCovered = 128;

std::int64_t halfCovered(const cv::Mat& pixels) {
    std::int64_t count = 0;
    for (int y = 0; y < pixels.rows; ++y) {
        const auto* row = pixels.ptr<cv::Vec4b>(y);
        for (int x = 0; x < pixels.cols; ++x)
            count += row[x][3] >= kHalfCovered ? 1 : 0;
    }
    return count;
}

ObjectColour nameColour(int red, int green, int blue) {
    const int high = std::max({red, green, blue});
    const int low = std::min({red, green, blue});
    const int chroma = high - low;
    if (high < 60)
        return ObjectColour::Black;
    if (chroma * 5 < high) // little saturation
        return low > 205 ? ObjectColour::White : ObjectColour::Grey;
    double hue = 0;
    if (high == red)
        hue = 60.0 * (green - blue) / chroma;
    else if (high == green)
        hue = 120 + 60.0 * (blue - red) / chroma;
    else
        hue = 240 + 60.0 * (red - green) / chroma;
    if (hue < 0)
        hue += 360;
    if (hue >= 10 && hue < 45 && high < 165)
        return ObjectColour::Brown;
    if (hue < 14 || hue >= 345)
        return chroma * 2 < high && high > 190 ? ObjectColour::Pink : ObjectColour::Red;
    if (hue < 42)
        return ObjectColour::Orange;
    if (hue < 68)
        return ObjectColour::Yellow;
    if (hue < 165)
        return ObjectColour::Green;
    if (hue < 255)
        return ObjectColour::Blue;
    if (hue < 295)
        return ObjectColour::Purple;
    return ObjectColour::Pink;
}

} // namespace

Layer layOut(const Sprite& sprite, const Pose& pose, cv::Size frame) {
    const cv::Mat& picture = sprite.level(pose.side);
    const double scale = pose.side / std::max(picture.rows, picture.cols);
    const cv::Matx22d turn(
        std::cos(pose.turn), -std::sin(pose.turn), std::sin(pose.turn), std::cos(pose.turn));
    const double wide = pose.mirrored ? -pose.stretch : pose.stretch;
    const cv::Matx22d linear = turn * cv::Matx22d(wide, pose.shear, 0, 1 / pose.stretch) * scale;
    const cv::Point2d half(0.5 * picture.cols, 0.5 * picture.rows);
    const cv::Point2d reach(half.x * std::abs(linear(0, 0)) + half.y * std::abs(linear(0, 1)) + 1,
        half.x * std::abs(linear(1, 0)) + half.y * std::abs(linear(1, 1)) + 1);
    const cv::Rect whole(
        cv::Point(cvFloor(pose.middle.x - reach.x), cvFloor(pose.middle.y - reach.y)),
        cv::Point(cvCeil(pose.middle.x + reach.x) + 1, cvCeil(pose.middle.y + reach.y) + 1));

    // Pixel centres lie at +0.5 on both sides of the map.
    cv::Matx23d map(linear(0, 0), linear(0, 1), 0, linear(1, 0), linear(1, 1), 0);
    const cv::Point2d middle = pose.middle - cv::Point2d(whole.tl());
    map(0, 2) = middle.x - 0.5 - map(0, 0) * (half.x - 0.5) - map(0, 1) * (half.y - 0.5);
    map(1, 2) = middle.y - 0.5 - map(1, 0) * (half.x - 0.5) - map(1, 1) * (half.y - 0.5);
    cv::Mat pixels;
    cv::warpAffine(picture, pixels, map, whole.size(), cv::INTER_LINEAR, cv::BORDER_CONSTANT);

    Layer layer;
    layer.full = halfCovered(pixels);
    layer.where = whole & cv::Rect({0, 0}, frame);
    if (layer.where.empty())
        return layer;
    layer.pixels = pixels(layer.where - whole.tl());
    layer.visible = halfCovered(layer.pixels);
    return layer;
}

void takeColour(cv::Mat& pixels) {
    for (int y = 0; y < pixels.rows; ++y) {
        auto* row = pixels.ptr<cv::Vec4b>(y);
        for (int x = 0; x < pixels.cols; ++x) {
            cv::Vec4b& pixel = row[x];
            const int grey = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8;
            pixel[0] = pixel[1] = pixel[2] = static_cast<std::uint8_t>(grey);
        }
    }
}

void jitterColour(cv::Mat& pixels, double strength, RandomStream& random) {
    const double turn = strength * random.normal() * 0.10;
    const double saturation = std::exp(strength * random.normal() * 0.18);
    const double gain = std::exp(strength * random.normal() * 0.15);
    const double lift = strength * random.normal() * 10;
    // A turn about the grey axis with a change of saturation, as one 3 × 3 matrix.
    const double cosine = saturation * std::cos(turn);
    const double sine = saturation * std::sin(turn) / std::sqrt(3.0);
    const double same = cosine + (1 - cosine) / 3;
    const double next = (1 - cosine) / 3;
    cv::Matx33f map;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
            const int step = (column - row + 3) % 3;
            const double value = step == 0 ? same : next + (step == 1 ? -sine : sine);
            map(row, column) = static_cast<float>(gain * value);
        }
    for (int y = 0; y < pixels.rows; ++y) {
        auto* row = pixels.ptr<cv::Vec4b>(y);
        for (int x = 0; x < pixels.cols; ++x) {
            cv::Vec4b& pixel = row[x];
            if (pixel[3] == 0)
                continue;
            const float offset = static_cast<float>(lift) * static_cast<float>(pixel[3]) / 255.0F;
            const cv::Vec3f old(pixel[0], pixel[1], pixel[2]);
            for (int c = 0; c < 3; ++c) {
                const float value
                    = map(c, 0) * old[0] + map(c, 1) * old[1] + map(c, 2) * old[2] + offset;
                pixel[c] = std::min(cv::saturate_cast<std::uint8_t>(value), pixel[3]);
            }
        }
    }
}

void dropShadow(cv::Mat& scene, const Layer& layer, RandomStream& random) {
    const double length = std::max(layer.where.width, layer.where.height);
    const int reach = std::clamp(cvRound(length * 0.06), 1, 12);
    const cv::Point offset(random.between(-reach, reach), random.between(0, reach));
    const float darkness = static_cast<float>(random.real(0.25, 0.6)) / 255;
    cv::Mat alpha;
    cv::extractChannel(layer.pixels, alpha, 3);
    cv::copyMakeBorder(alpha, alpha, reach, reach, reach, reach, cv::BORDER_CONSTANT);
    cv::GaussianBlur(alpha, alpha, {2 * reach + 1, 2 * reach + 1}, 0);
    const cv::Rect shade(layer.where.tl() + offset - cv::Point(reach, reach), alpha.size());
    const cv::Rect inside = shade & cv::Rect({0, 0}, scene.size());
    for (int y = inside.y; y < inside.br().y; ++y) {
        auto* row = scene.ptr<cv::Vec3b>(y);
        const auto* dark = alpha.ptr<std::uint8_t>(y - shade.y);
        for (int x = inside.x; x < inside.br().x; ++x)
            for (int c = 0; c < 3; ++c)
                row[x][c] = cv::saturate_cast<std::uint8_t>(static_cast<float>(row[x][c])
                    * (1 - darkness * static_cast<float>(dark[x - shade.x])));
    }
}

void paste(cv::Mat& scene, cv::Mat& labels, const Layer& layer, std::uint8_t label) {
    for (int y = 0; y < layer.where.height; ++y) {
        const auto* from = layer.pixels.ptr<cv::Vec4b>(y);
        auto* to = scene.ptr<cv::Vec3b>(layer.where.y + y) + layer.where.x;
        auto* mark = labels.ptr<std::uint8_t>(layer.where.y + y) + layer.where.x;
        for (int x = 0; x < layer.where.width; ++x) {
            const int alpha = from[x][3];
            if (alpha == 0)
                continue;
            for (int c = 0; c < 3; ++c)
                to[x][c] = cv::saturate_cast<std::uint8_t>(
                    from[x][c] + (to[x][c] * (255 - alpha) + 127) / 255);
            if (alpha >= kHalfCovered)
                mark[x] = label;
        }
    }
}

ObjectColour colourOf(const cv::Mat& pixels) {
    std::array<int, 12> votes{};
    int all = 0;
    const int step = std::max(1, std::max(pixels.rows, pixels.cols) / 24);
    for (int y = step / 2; y < pixels.rows; y += step)
        for (int x = step / 2; x < pixels.cols; x += step) {
            const cv::Vec4b& pixel = pixels.at<cv::Vec4b>(y, x);
            if (pixel[3] < 200)
                continue;
            ++votes[static_cast<std::size_t>(nameColour(pixel[0], pixel[1], pixel[2]))];
            ++all;
        }
    const auto most = std::max_element(votes.begin(), votes.end());
    return all > 0 && *most * 5 >= all * 3 ? static_cast<ObjectColour>(most - votes.begin())
                                           : ObjectColour::Mixed;
}

} // namespace maskscope
