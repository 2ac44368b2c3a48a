// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_geometry.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

// Leaves the image some air when it is fitted.
constexpr double kFitMargin = 12;

} // namespace

ImageGeometry::ImageGeometry(QSizeF image, QSizeF view, double pixelRatio)
    : m_image(image)
    , m_view(view)
    , m_pixelRatio(pixelRatio) {
    *this = fitted();
}

// Between the screen's pixels the image would be blurred at 100 %.
QPointF ImageGeometry::onPixelGrid(QPointF view) const {
    const QPointF screen = view * m_pixelRatio + m_phase;
    return (QPointF(std::round(screen.x()), std::round(screen.y())) - m_phase) / m_pixelRatio;
}

QPointF ImageGeometry::toImage(QPointF view) const {
    return (view - m_origin) / m_zoom;
}

QPointF ImageGeometry::toView(QPointF image) const {
    return m_origin + image * m_zoom;
}

QRectF ImageGeometry::toView(const QRectF& image) const {
    return {toView(image.topLeft()), image.size() * m_zoom};
}

QRectF ImageGeometry::imageRect() const {
    return {m_origin, m_image * m_zoom};
}

QPointF ImageGeometry::clampedToImage(QPointF image) const {
    // The far edges do not belong to the last pixel, so stay a hair inside.
    const auto inside = [](double value, double length) {
        return std::clamp(value, 0.0, std::max(0.0, std::nextafter(length, 0.0)));
    };
    return {inside(image.x(), m_image.width()), inside(image.y(), m_image.height())};
}

double ImageGeometry::fittingZoom() const {
    const double width = std::max(1.0, m_view.width() - 2 * kFitMargin);
    const double height = std::max(1.0, m_view.height() - 2 * kFitMargin);
    const double zoom = std::min(width / m_image.width(), height / m_image.height());
    return std::min(zoom, kGreatestScale / m_pixelRatio);
}

ImageGeometry ImageGeometry::fitted() const {
    ImageGeometry result = *this;
    result.m_fitted = true;
    if (isEmpty())
        return result;
    result.m_zoom = fittingZoom();
    const QSizeF left = m_view - m_image * result.m_zoom;
    result.m_origin = onPixelGrid({left.width() / 2, left.height() / 2});
    return result;
}

ImageGeometry ImageGeometry::zoomedAt(QPointF view, double factor) const {
    return withScale(scale() * factor, view);
}

ImageGeometry ImageGeometry::withScale(double wanted, QPointF view) const {
    if (isEmpty())
        return *this;
    const double least = std::min(fittingZoom() * m_pixelRatio, 1.0) / 4;
    ImageGeometry result = *this;
    const QPointF anchor = toImage(view);
    result.m_zoom = std::clamp(wanted, least, kGreatestScale) / m_pixelRatio;
    result.m_origin = view - anchor * result.m_zoom;
    result.m_fitted = false;
    return result.clamped();
}

ImageGeometry ImageGeometry::panned(QPointF delta) const {
    ImageGeometry result = *this;
    result.m_origin += delta;
    result.m_fitted = false;
    return result.clamped();
}

ImageGeometry ImageGeometry::resized(QSizeF view, double pixelRatio) const {
    ImageGeometry result = *this;
    const QPointF middle = toImage({m_view.width() / 2, m_view.height() / 2});
    result.m_view = view;
    result.m_pixelRatio = pixelRatio;
    if (m_fitted || isEmpty())
        return result.fitted();
    result.m_origin = QPointF(view.width() / 2, view.height() / 2) - middle * m_zoom;
    return result.clamped();
}

ImageGeometry ImageGeometry::withPhase(QPointF phase) const {
    ImageGeometry result = *this;
    result.m_phase = phase;
    return m_fitted ? result.fitted() : result.clamped();
}

ImageGeometry ImageGeometry::clamped() const {
    ImageGeometry result = *this;
    const QPointF middle(m_view.width() / 2, m_view.height() / 2);
    const QSizeF shown = m_image * m_zoom;
    result.m_origin = {std::clamp(m_origin.x(), middle.x() - shown.width(), middle.x()),
        std::clamp(m_origin.y(), middle.y() - shown.height(), middle.y())};
    result.m_origin = onPixelGrid(result.m_origin);
    return result;
}

} // namespace maskscope
