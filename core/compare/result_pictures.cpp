// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/result_pictures.h"

#include "core/mask/mask_colour.h"
#include "kernels/kernels.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope {

namespace {

constexpr std::uint8_t kOpacity = 115; // of 255
constexpr std::array<std::uint8_t, 3> kFirstOnly{230, 120, 0}, kSecondOnly{0, 114, 178};

Image fitted(const Image& image, int mostSide) {
    const double scale = std::min(1.0, double(mostSide) / std::max(image.width, image.height));
    if (scale == 1)
        return image;
    Image smaller;
    smaller.width = std::max(1, int(std::lround(image.width * scale)));
    smaller.height = std::max(1, int(std::lround(image.height * scale)));
    smaller.rgb.resize(std::size_t(smaller.width) * std::size_t(smaller.height) * 3);
    // Nothing is written through the pointer to what is read.
    const cv::Mat from(
        image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data()));
    cv::Mat to(smaller.height, smaller.width, CV_8UC3, smaller.rgb.data());
    cv::resize(from, to, to.size(), 0, 0, cv::INTER_AREA);
    return smaller;
}

/// Nearest: a mask's pixel is one or the other. A small picture takes the largest value of the
/// pixels that it stands for, so that a difference of one pixel is not lost.
std::vector<std::uint8_t> fitted(
    const std::vector<std::uint8_t>& bits, int width, int height, const Image& to) {
    std::vector<std::uint8_t> small(std::size_t(to.width) * std::size_t(to.height), 0);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto column = std::size_t(std::int64_t(x) * to.width / width);
            const auto row = std::size_t(std::int64_t(y) * to.height / height);
            auto& pixel = small[row * std::size_t(to.width) + column];
            pixel = std::max(pixel, bits[std::size_t(y) * std::size_t(width) + std::size_t(x)]);
        }
    return small;
}

/// The union of a run's masks, [height, width]; empty where it has none of this size.
std::vector<std::uint8_t> coverOf(const Image& image, const RunRecord& run) {
    std::vector<std::uint8_t> cover(std::size_t(image.width) * std::size_t(image.height), 0);
    if (const Report* report = reportOf(run))
        for (const auto& mask : report->masks)
            if (mask->bits.size() == cover.size())
                for (std::size_t i = 0; i < cover.size(); ++i)
                    cover[i] = cover[i] | mask->bits[i];
    return cover;
}

void paint(Image& image, const std::vector<std::uint8_t>& bits,
    const std::array<std::uint8_t, 3>& colour, std::uint8_t opacity) {
    const kernels::PixelRows rows{image.rgb.data(), std::int64_t(image.width) * 3, 3};
    const kernels::OverlayStyle style{{colour[0], colour[1], colour[2]}, opacity, 1};
    kernels::cpu::overlayMask(bits.data(), image.height, image.width, style, rows);
}

} // namespace

Image resultPicture(const Image& image, const RunRecord& run, int mostSide) {
    Image picture = fitted(image, mostSide);
    if (const Report* report = reportOf(run))
        for (const auto& mask : report->masks)
            if (mask->width == image.width && mask->height == image.height)
                paint(picture, fitted(mask->bits, mask->width, mask->height, picture),
                    maskColour(mask->index), kOpacity);
    return picture;
}

Image differencePicture(
    const Image& image, const RunRecord& first, const RunRecord& second, int mostSide) {
    Image picture = fitted(image, mostSide);
    for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3) {
        const int grey = (picture.rgb[i] * 3 + picture.rgb[i + 1] * 6 + picture.rgb[i + 2]) / 10;
        std::fill_n(picture.rgb.begin() + std::ptrdiff_t(i), 3, std::uint8_t(170 + grey / 3));
    }
    std::vector<std::uint8_t> ofFirst = coverOf(image, first), ofSecond = coverOf(image, second);
    for (std::size_t i = 0; i < ofFirst.size(); ++i) {
        const bool both = ofFirst[i] && ofSecond[i];
        ofFirst[i] = ofFirst[i] && !both;
        ofSecond[i] = ofSecond[i] && !both;
    }
    paint(picture, fitted(ofFirst, image.width, image.height, picture), kFirstOnly, 255);
    paint(picture, fitted(ofSecond, image.width, image.height, picture), kSecondOnly, 255);
    return picture;
}

} // namespace maskscope
