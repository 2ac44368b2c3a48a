// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/backdrop.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace maskscope {

namespace {

cv::Vec3f anyColour(RandomStream& random) {
    const float grey = static_cast<float>(random.real(20, 240));
    const float spread = random.chance(0.3) ? 10.0F : 110.0F;
    cv::Vec3f colour;
    for (int c = 0; c < 3; ++c)
        colour[c]
            = std::clamp(grey + spread * static_cast<float>(random.real(-1, 1)), 0.0F, 255.0F);
    return colour;
}

template <class ShareAt>
cv::Mat blend(cv::Size size, const cv::Vec3f& a, const cv::Vec3f& b, ShareAt shareAt) {
    cv::Mat out(size, CV_8UC3);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const float share = shareAt(x, y);
            for (int c = 0; c < 3; ++c)
                out.at<cv::Vec3b>(y, x)[c]
                    = cv::saturate_cast<std::uint8_t>(a[c] + (b[c] - a[c]) * share);
        }
    return out;
}

cv::Mat photograph(cv::Size size, const cv::Mat& picture, RandomStream& random) {
    const double fit
        = std::min(double(picture.cols) / size.width, double(picture.rows) / size.height);
    const double share = std::min(fit, fit * random.real(0.35, 1.0));
    const int wide = std::clamp(cvRound(size.width * share), 1, picture.cols);
    const int high = std::clamp(cvRound(size.height * share), 1, picture.rows);
    cv::Mat out;
    cv::resize(picture({random.below(picture.cols - wide + 1),
                   random.below(picture.rows - high + 1), wide, high}),
        out, size, 0, 0, share > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
    if (random.chance(0.5))
        cv::flip(out, out, 1);
    return out;
}

cv::Mat gradient(cv::Size size, RandomStream& random) {
    const cv::Vec3f a = anyColour(random);
    const cv::Vec3f b = anyColour(random);
    if (random.chance(0.3)) {
        const float x0 = static_cast<float>(random.real(0, size.width));
        const float y0 = static_cast<float>(random.real(0, size.height));
        const float reach = static_cast<float>(size.width + size.height) / 2;
        return blend(size, a, b, [=](int x, int y) {
            return std::min(
                1.0F, std::hypot(static_cast<float>(x) - x0, static_cast<float>(y) - y0) / reach);
        });
    }
    const double angle = random.real(0, 2 * std::numbers::pi);
    const float dx = static_cast<float>(std::cos(angle)) / static_cast<float>(size.width);
    const float dy = static_cast<float>(std::sin(angle)) / static_cast<float>(size.height);
    return blend(size, a, b, [=](int x, int y) {
        const float at = 0.5F + dx * (static_cast<float>(x) - 0.5F * static_cast<float>(size.width))
            + dy * (static_cast<float>(y) - 0.5F * static_cast<float>(size.height));
        return std::clamp(at, 0.0F, 1.0F);
    });
}

/// Random values on coarse and fine grids, enlarged smoothly and added up.
cv::Mat softNoise(cv::Size size, RandomStream& random) {
    cv::Mat sum(size, CV_32F, cv::Scalar(0));
    float weight = 1;
    for (int cells = random.between(2, 6); cells < 64; cells *= 2) {
        cv::Mat grid(cells, cells, CV_32F);
        for (int i = 0; i < cells * cells; ++i)
            grid.at<float>(i / cells, i % cells) = static_cast<float>(random.real(-1, 1));
        cv::Mat large;
        cv::resize(grid, large, size, 0, 0, cv::INTER_CUBIC);
        cv::scaleAdd(large, weight, sum, sum);
        weight *= 0.55F;
    }
    const cv::Vec3f a = anyColour(random);
    const cv::Vec3f b = anyColour(random);
    return blend(size, a, b, [&sum](int x, int y) {
        return std::clamp(0.5F + 0.45F * sum.at<float>(y, x), 0.0F, 1.0F);
    });
}

cv::Mat stripes(cv::Size size, RandomStream& random) {
    const cv::Vec3f a = anyColour(random);
    const cv::Vec3f b = anyColour(random);
    const double angle = random.real(0, std::numbers::pi);
    const double period = random.logReal(6, 60);
    const double cosine = std::cos(angle) / period;
    const double sine = std::sin(angle) / period;
    const bool checks = random.chance(0.4);
    return blend(size, a, b, [=](int x, int y) {
        const int u = static_cast<int>(std::floor(x * cosine + y * sine));
        const int v = checks ? static_cast<int>(std::floor(y * cosine - x * sine)) : 0;
        return static_cast<float>((u + v) & 1);
    });
}

} // namespace

cv::Mat makeBackdrop(cv::Size size, const std::vector<cv::Mat>& pictures, RandomStream& random) {
    const double kind = random.real();
    if (kind < 0.55)
        return photograph(size, random.pick(pictures), random);
    if (kind < 0.75)
        return gradient(size, random);
    if (kind < 0.9)
        return softNoise(size, random);
    if (kind < 0.95)
        return stripes(size, random);
    const cv::Vec3f colour = anyColour(random);
    return blend(size, colour, colour, [](int, int) { return 0.0F; });
}

} // namespace maskscope
