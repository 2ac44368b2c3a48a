// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/random_stream.h"

#include <opencv2/core/mat.hpp>

#include <vector>

namespace maskscope {

/// What lies behind all objects, CV_8UC3 RGB: half the time a part of one of `pictures` (CV_8UC3
/// RGB), else a gradient, soft noise, stripes or a plain colour.
cv::Mat makeBackdrop(cv::Size size, const std::vector<cv::Mat>& pictures, RandomStream& random);

} // namespace maskscope
