// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/random_stream.h"
#include "core/train/scene.h"
#include "core/train/sprite_library.h"

#include <opencv2/core/mat.hpp>

namespace maskscope {

/// One object, turned, scaled and coloured, where it will lie in the scene.
struct Layer {
    cv::Mat pixels; ///< CV_8UC4 RGBA premultiplied, only the part inside the frame
    cv::Rect where; ///< of `pixels` in the scene
    std::int64_t visible = 0; ///< pixels that are at least half covered, inside the frame
    std::int64_t full = 0; ///< the same without the frame
};

/// How an object lies: the long side of its picture in pixels, its turn in radians, mirrored or
/// not, and the middle in the scene.
struct Pose {
    double side = 0;
    double turn = 0;
    bool mirrored = false;
    double stretch = 1; ///< wider by this, and lower
    double shear = 0; ///< of the height, sideways
    cv::Point2d middle;
};

/// The sprite in that pose; `where` is empty when nothing of it is inside the frame.
Layer layOut(const Sprite& sprite, const Pose& pose, cv::Size frame);

/// Takes the colours out of an object, as in a drawing in pencil or an old photograph.
void takeColour(cv::Mat& pixels);

/// Light and paint of one object: `strength` 1 keeps what the colour of an object tells about it.
void jitterColour(cv::Mat& pixels, double strength, RandomStream& random);

/// A soft dark copy beside the object, drawn into `scene` (CV_8UC3) before the object itself.
void dropShadow(cv::Mat& scene, const Layer& layer, RandomStream& random);

/// Draws the object and writes `label` into `labels` (CV_8U) where it covers at least half a pixel.
void paste(cv::Mat& scene, cv::Mat& labels, const Layer& layer, std::uint8_t label);

/// The colour most of an object has, Mixed when there is none.
ObjectColour colourOf(const cv::Mat& pixels);

} // namespace maskscope
