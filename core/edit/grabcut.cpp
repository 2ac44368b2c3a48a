// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/grabcut.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/edit/boolean.h"
#include "core/edit/grow.h"
#include "core/edit/run_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

namespace maskscope {
namespace {

constexpr double kWorkedPixels = 1e6;
constexpr int kRounds = 5; // more move nothing to speak of
constexpr int kFewest = 16; // samples of each side: its colour model has five clusters

/// What is known beforehand: `inside` stays in, all beyond `around` stays out.
struct Band {
    MaskRuns inside;
    MaskRuns around;
};

/// The part of the image that shows the mask and, around its band, as much again of what is
/// outside.
cv::Rect surroundingsOf(const MaskRuns& mask, int band, const Image& image) {
    const auto [left, top, width, height] = mask.bbox;
    const int margin = 2 * band + 8;
    const cv::Rect wanted(left - margin, top - margin, width + 2 * margin, height + 2 * margin);
    return wanted & cv::Rect(0, 0, image.width, image.height);
}

/// The surroundings with at most about kWorkedPixels.
cv::Mat pictureOf(const Image& image, const cv::Rect& part) {
    // OpenCV has no view of constant pixels; this one is only read.
    const cv::Mat whole(
        image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data()));
    const double scale = std::min(1.0, std::sqrt(kWorkedPixels / double(part.area())));
    const cv::Size size(std::max(1, static_cast<int>(std::lround(part.width * scale))),
        std::max(1, static_cast<int>(std::lround(part.height * scale))));
    cv::Mat picture;
    cv::resize(whole(part), picture, size, 0, 0, cv::INTER_AREA);
    return picture;
}

/// GrabCut's four labels for each pixel of the picture, from the mask's pixel at its centre.
cv::Mat labelsOf(
    const cv::Size& size, const cv::Rect& part, const MaskRuns& mask, const Band& band) {
    cv::Mat labels(size, CV_8UC1);
    for (int row = 0; row < size.height; ++row)
        for (int column = 0; column < size.width; ++column) {
            const int x = part.x + static_cast<int>((column + 0.5) * part.width / size.width);
            const int y = part.y + static_cast<int>((row + 0.5) * part.height / size.height);
            auto& label = labels.at<std::uint8_t>(row, column);
            if (mask.contains(x, y))
                label = band.inside.contains(x, y) ? cv::GC_FGD : cv::GC_PR_FGD;
            else
                label = band.around.contains(x, y) ? cv::GC_PR_BGD : cv::GC_BGD;
        }
    return labels;
}

/// 255 inside, 0 outside.
cv::Mat pixelsInside(const cv::Mat& labels) {
    return (labels & 1) * 255; // GC_FGD and GC_PR_FGD are odd
}

bool hasGrounds(const cv::Mat& picture, const cv::Mat& labels) {
    const int inside = cv::countNonZero(labels & 1);
    if (inside < kFewest || static_cast<int>(labels.total()) - inside < kFewest)
        return false;
    double darkest = 0, brightest = 0;
    std::array<cv::Mat, 3> channels;
    cv::split(picture, channels.data());
    return std::any_of(channels.begin(), channels.end(), [&](const cv::Mat& channel) {
        cv::minMaxLoc(channel, &darkest, &brightest);
        return darkest != brightest;
    });
}

MaskRuns runsOfPart(const cv::Mat& inside, const cv::Rect& part) {
    RunBuilder builder;
    for (int y = 0; y < inside.rows; ++y) {
        const auto* row = inside.ptr<std::uint8_t>(y);
        for (int x = 0; x < inside.cols; ++x)
            if (row[x] >= 128)
                builder.add({part.y + y, part.x + x, part.x + x + 1});
    }
    return builder.take();
}

MaskRuns refine(const Image& image, const MaskRuns& mask, int reach, const std::stop_token& stop) {
    const Band band{shrink(mask, reach, image.width, image.height),
        grow(mask, reach, image.width, image.height)};
    throwIfStopped(stop);
    const cv::Rect part = surroundingsOf(mask, reach, image);
    const cv::Mat picture = pictureOf(image, part);
    cv::Mat labels = labelsOf(picture.size(), part, mask, band);
    if (!hasGrounds(picture, labels))
        return mask;
    cv::setRNGSeed(1); // of the clusters that the colour models begin with
    cv::Mat outsideColours, insideColours;
    for (int round = 0; round < kRounds; ++round) {
        throwIfStopped(stop);
        cv::grabCut(picture, labels, {}, outsideColours, insideColours, 1,
            round == 0 ? cv::GC_INIT_WITH_MASK : cv::GC_EVAL);
    }
    cv::Mat inside;
    cv::resize(pixelsInside(labels), inside, part.size(), 0, 0, cv::INTER_LINEAR);
    const MaskRuns found = unite(band.inside, intersect(runsOfPart(inside, part), band.around));
    return found.isEmpty() ? mask : found;
}

} // namespace

MaskRuns refineOnEdges(
    const Image& image, const MaskRuns& mask, int band, const std::stop_token& stop) {
    if (mask.isEmpty() || band < 1)
        return mask;
    try {
        return refine(image, mask, std::min(band, std::max(image.width, image.height)), stop);
    } catch (const cv::Exception& problem) {
        throw Failure(problem.code == cv::Error::StsNoMem ? ErrorKind::Memory : ErrorKind::Internal,
            "The mask could not be fitted to the picture's edges and is as it was; OpenCV says: "
                + problem.err + ".");
    }
}

} // namespace maskscope
