// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/image_geometry.h"
#include "ui/mask_model.h"
#include "ui/mask_overlay.h"
#include "ui/picture.h"
#include "ui/prompts.h"
#include "ui/settings.h"

#include <QPainter>

namespace maskscope {

// The layers of the canvas, from the lowest to the highest. All leave the painter as it was.

/// Where the canvas and the image on it lie, in the pixels of the screen: in these the image and
/// what belongs to its pixels are painted, so that none is smeared over two.
struct ScreenPlace {
    QRect view; ///< of the canvas
    QRectF image; ///< of the whole image, which may reach far beyond the view
    QSizeF imageSize; ///< in its own pixels
    double pixelRatio = 1; ///< of the screen's pixels to logical ones

    /// Screen pixels per image pixel.
    double scale() const { return image.width() / imageSize.width(); }
};

/// Lets a painter that paints in logical pixels paint in the screen's while this lives.
class ScreenPixels {
public:
    explicit ScreenPixels(QPainter& painter);
    ~ScreenPixels() { m_painter.restore(); }
    ScreenPixels(const ScreenPixels&) = delete;
    ScreenPixels& operator=(const ScreenPixels&) = delete;

private:
    QPainter& m_painter;
};

// In the screen's pixels.
void paintPicture(QPainter& painter, const ScreenPlace& place, const Picture& picture);
/// Lines between the image's pixels, once these are large.
void paintPixelGrid(QPainter& painter, const ScreenPlace& place);

struct MaskLook {
    int opacity = Settings::kDefaultOpacity; ///< per cent
    MaskStyle style = MaskStyle::Filled;
};
/// Shown masks into the overlay of a view; when one is emphasised the others step back.
void paintMasks(
    MaskOverlay& overlay, const ScreenPlace& place, const MaskModel& masks, const MaskLook& look);

// In logical pixels; view coordinates are from `geometry`.
void paintPrompts(QPainter& painter, const ImageGeometry& geometry, const PromptSet& prompts);
/// A box that is being drawn.
void paintRubberBand(QPainter& painter, const ImageGeometry& geometry, const QRectF& image);
/// The keyboard's pointer.
void paintCross(QPainter& painter, const ImageGeometry& geometry, QPointF image);

} // namespace maskscope
