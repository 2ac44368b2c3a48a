// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/click_simulator.h"

#include "core/base/error.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

/// 255 where the view is not 0, with a rim of zeros, so that the frame counts as an edge.
cv::Mat framed(MaskView view) {
    if (view.width <= 0 || view.height <= 0
        || view.bits.size()
            != static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height))
        throw Failure(ErrorKind::Internal, "A simulated click got a mask of the wrong size.");
    cv::Mat mask(view.height + 2, view.width + 2, CV_8U, cv::Scalar(0));
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x)
            mask.at<std::uint8_t>(y + 1, x + 1)
                = view.bits[static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width)
                      + static_cast<std::size_t>(x)]
                ? 255
                : 0;
    return mask;
}

cv::Mat depthOf(const cv::Mat& mask) {
    cv::Mat depth;
    cv::distanceTransform(mask, depth, cv::DIST_L2, 5);
    return depth;
}

PointPrompt pointAt(cv::Point pixel, PointSign sign) {
    return {pixel.x - 1 + 0.5, pixel.y - 1 + 0.5, sign};
}

/// The largest connected part of a mask; empty matrix and 0 when there is none.
struct Part {
    cv::Mat mask;
    int area = 0;
};

Part largestPart(const cv::Mat& mask) {
    cv::Mat labels;
    cv::Mat stats;
    cv::Mat centres;
    const int count = cv::connectedComponentsWithStats(mask, labels, stats, centres, 8, CV_32S);
    Part part;
    int best = 0;
    for (int i = 1; i < count; ++i)
        if (stats.at<int>(i, cv::CC_STAT_AREA) > part.area) {
            part.area = stats.at<int>(i, cv::CC_STAT_AREA);
            best = i;
        }
    if (best > 0)
        part.mask = labels == best;
    return part;
}

/// A pixel of the mask, drawn with weights that grow with the distance to its edge.
PointPrompt deepPoint(const cv::Mat& mask, PointSign sign, RandomStream& random) {
    const cv::Mat depth = depthOf(mask);
    double sum = 0;
    const auto weight = [](float distance) { return static_cast<double>(distance) * distance; };
    for (int y = 0; y < depth.rows; ++y)
        for (int x = 0; x < depth.cols; ++x)
            sum += weight(depth.at<float>(y, x));
    double rest = random.real() * sum;
    cv::Point last(-1, -1);
    for (int y = 0; y < depth.rows; ++y)
        for (int x = 0; x < depth.cols; ++x)
            if (depth.at<float>(y, x) > 0) {
                last = {x, y};
                if ((rest -= weight(depth.at<float>(y, x))) < 0)
                    return pointAt(last, sign);
            }
    if (last.x < 0)
        throw Failure(ErrorKind::Internal, "A simulated click needs a mask that is not empty.");
    return pointAt(last, sign);
}

} // namespace

PointPrompt firstClick(MaskView target, RandomStream& random) {
    return deepPoint(framed(target), PointSign::Positive, random);
}

PointPrompt nextClick(MaskView target, MaskView predicted, RandomStream& random) {
    const cv::Mat wanted = framed(target);
    const cv::Mat found = framed(predicted);
    const Part missed = largestPart(wanted & ~found);
    const Part wrong = largestPart(found & ~wanted);
    if (missed.area == 0 && wrong.area == 0)
        return deepPoint(wanted, PointSign::Positive, random);
    const bool positive = missed.area >= wrong.area;
    const cv::Mat depth = depthOf(positive ? missed.mask : wrong.mask);
    cv::Point deepest;
    cv::minMaxLoc(depth, nullptr, nullptr, nullptr, &deepest);
    return pointAt(deepest, positive ? PointSign::Positive : PointSign::Negative);
}

BoxPrompt drawnBox(MaskView target, RandomStream& random, double jitter) {
    const cv::Rect box = cv::boundingRect(framed(target));
    if (box.empty())
        throw Failure(ErrorKind::Internal, "A simulated box needs a mask that is not empty.");
    const auto moved = [&random, jitter](int edge, int length) {
        return edge - 1 + std::max(1.0, jitter * length) * random.real(-1, 1);
    };
    BoxPrompt drawn;
    drawn.x0 = std::clamp(moved(box.x, box.width), 0.0, target.width - 1.0);
    drawn.y0 = std::clamp(moved(box.y, box.height), 0.0, target.height - 1.0);
    drawn.x1 = std::clamp(moved(box.br().x, box.width), drawn.x0 + 1, double(target.width));
    drawn.y1 = std::clamp(moved(box.br().y, box.height), drawn.y0 + 1, double(target.height));
    return drawn;
}

} // namespace maskscope
