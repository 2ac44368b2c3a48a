// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace maskscope {

/// Where an image lies in a view, as a value. View coordinates are Qt's logical pixels; image
/// coordinates are continuous, so that the centre of pixel (0, 0) is (0.5, 0.5).
/// The centre of the view never leaves the image, and the image begins on one of the screen's
/// pixels.
class ImageGeometry {
public:
    ImageGeometry() = default;
    /// The whole image in the middle of the view. `pixelRatio` is physical pixels per logical one.
    ImageGeometry(QSizeF image, QSizeF view, double pixelRatio);

    bool isEmpty() const { return m_image.isEmpty() || m_view.isEmpty(); }
    QSizeF imageSize() const { return m_image; }
    QSizeF viewSize() const { return m_view; }
    /// Logical pixels per image pixel.
    double zoom() const { return m_zoom; }
    /// Physical pixels per image pixel: 1 shows every image pixel as one of the screen's.
    double scale() const { return m_zoom * m_pixelRatio; }
    bool isFitted() const { return m_fitted; }

    QPointF toImage(QPointF view) const;
    QPointF toView(QPointF image) const;
    QRectF toView(const QRectF& image) const;
    /// The image's rectangle in the view.
    QRectF imageRect() const;
    /// The nearest point that still lies inside the image.
    QPointF clampedToImage(QPointF image) const;

    ImageGeometry fitted() const;
    ImageGeometry zoomedAt(QPointF view, double factor) const;
    ImageGeometry withScale(double scale, QPointF view) const;
    ImageGeometry panned(QPointF delta) const;
    /// Keeps a fitted image fitted, and otherwise what is in the middle in the middle.
    ImageGeometry resized(QSizeF view, double pixelRatio) const;
    /// For a view whose own corner lies within a pixel of the screen, by `phase` physical pixels:
    /// at 125 % a widget may begin between two of them.
    ImageGeometry withPhase(QPointF phase) const;
    QPointF phase() const { return m_phase; }

    static constexpr double kGreatestScale = 64;

private:
    double fittingZoom() const;
    ImageGeometry clamped() const;
    QPointF onPixelGrid(QPointF view) const;

    QSizeF m_image;
    QSizeF m_view;
    double m_pixelRatio = 1;
    QPointF m_phase; // of the view's corner within a pixel of the screen
    double m_zoom = 1;
    QPointF m_origin; // of the image, in the view
    bool m_fitted = true;
};

} // namespace maskscope
