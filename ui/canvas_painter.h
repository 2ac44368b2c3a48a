// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/image_geometry.h"
#include "ui/mask_model.h"
#include "ui/picture.h"
#include "ui/prompts.h"
#include "ui/settings.h"

#include <QPainter>

namespace maskscope {

// The layers of the canvas, from the lowest to the highest. All take view coordinates from
// `geometry` and leave the painter as it was.

void paintPicture(QPainter& painter, const ImageGeometry& geometry, const Picture& picture);

struct MaskLook {
    int opacity = Settings::kDefaultOpacity; ///< per cent
    MaskStyle style = MaskStyle::Filled;
};
/// Shown masks; when one is emphasised the others step back.
void paintMasks(
    QPainter& painter, const ImageGeometry& geometry, const MaskModel& masks, const MaskLook& look);

void paintPrompts(QPainter& painter, const ImageGeometry& geometry, const PromptSet& prompts);
/// A box that is being drawn.
void paintRubberBand(QPainter& painter, const ImageGeometry& geometry, const QRectF& image);
/// The keyboard's pointer.
void paintCross(QPainter& painter, const ImageGeometry& geometry, QPointF image);

} // namespace maskscope
