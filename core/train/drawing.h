// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/random_stream.h"

#include <opencv2/core/mat.hpp>

#include <string>

namespace maskscope {

/// A new picture of an object that is drawn instead of copied, CV_8UC4 RGBA premultiplied, about
/// 200 pixels, cut to its visible part. Names: star, heart, ball, coin, sun, moon, cloud, balloon,
/// flower, flag; any other is a Failure(Input).
cv::Mat drawObject(const std::string& name, RandomStream& random);

/// A smooth closed shape filled with a part of `texture` (CV_8UC3 RGB): an object without a name.
/// Its sides differ by up to 1:8. CV_8UC4 RGBA premultiplied.
cv::Mat drawBlob(const cv::Mat& texture, RandomStream& random);

} // namespace maskscope
