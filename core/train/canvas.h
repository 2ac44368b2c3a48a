// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/random_stream.h"

#include <opencv2/core/mat.hpp>

#include <numbers>
#include <vector>

namespace maskscope {

using Paint = cv::Vec3d; ///< RGB, 0..255
using Outline = std::vector<cv::Point2d>; ///< a closed line in pixels of a Canvas

inline constexpr double kTurn = 2 * std::numbers::pi;

/// A square of transparent pixels on which objects are drawn with smooth edges.
class Canvas {
public:
    static constexpr int kSide = 200;
    static constexpr double kMiddle = kSide / 2.0;

    void fill(const Outline& outline, const Paint& paint);
    /// Filled with a light spot that falls off towards the rim.
    void fillShaded(const Outline& outline, const Paint& paint, RandomStream& random);
    /// Filled only where something was drawn before.
    void fillInside(const Outline& outline, const Paint& paint);
    void line(const Outline& outline, const Paint& paint, int width);

    /// What was drawn, cut to its visible part: CV_8UC4 RGBA premultiplied.
    cv::Mat cut() const;

private:
    cv::Mat m_pixels{kSide, kSide, CV_8UC4, cv::Scalar(0, 0, 0, 0)};
};

Outline ellipse(cv::Point2d middle, double rx, double ry, double turn = 0);
Outline starOutline(int points, double outer, double inner);

Paint vary(Paint paint, RandomStream& random); ///< a little lighter, darker or of another tint
Paint anyPaint(RandomStream& random); ///< one of eleven plain colours, varied
Paint mixOf(const Paint& a, const Paint& b, double share); ///< share 0 is a, 1 is b

} // namespace maskscope
