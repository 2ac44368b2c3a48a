// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas_painter.h"

#include "ui/colours.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

// Masks whose runs are not made yet have nothing to paint.
const MaskRuns* shownRuns(const MaskModel::Row& row) {
    return row.visibility == Visibility::Shown && row.runs && !row.runs->isEmpty() ? row.runs.get()
                                                                                   : nullptr;
}

class PainterState {
public:
    explicit PainterState(QPainter& painter)
        : m_painter(painter) {
        m_painter.save();
    }
    ~PainterState() { m_painter.restore(); }
    PainterState(const PainterState&) = delete;
    PainterState& operator=(const PainterState&) = delete;

private:
    QPainter& m_painter;
};

void paintPoint(QPainter& painter, QPointF at, PointSign sign) {
    constexpr double kRadius = 8;
    constexpr double kArm = 3.5;
    painter.setPen(QPen(Qt::white, 2));
    painter.setBrush(sign == PointSign::Positive ? positiveColour() : negativeColour());
    painter.drawEllipse(at, kRadius, kRadius);
    painter.drawLine(at - QPointF(kArm, 0), at + QPointF(kArm, 0));
    if (sign == PointSign::Positive)
        painter.drawLine(at - QPointF(0, kArm), at + QPointF(0, kArm));
}

void paintBox(QPainter& painter, const QRectF& box, Qt::PenStyle style) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 130), 4));
    painter.drawRect(box);
    painter.setPen(QPen(Qt::white, 2));
    painter.drawRect(box);
    QPen pen(boxColour(), 2, style);
    painter.setPen(pen);
    painter.drawRect(box);
}

} // namespace

ScreenPixels::ScreenPixels(QPainter& painter)
    : m_painter(painter) {
    m_painter.save();
    m_painter.setWorldTransform(m_painter.deviceTransform().inverted());
}

void paintPicture(QPainter& painter, const ScreenPlace& place, const Picture& picture) {
    const PainterState state(painter);
    // Up to double size smoothing helps; beyond, the pixels themselves are wanted.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, place.scale() < 2);
    const QImage& level
        = picture.levels.at(static_cast<std::size_t>(picture.levelFor(place.scale())));
    // Only the part that is seen: over the whole of a large image Qt's steps from pixel to pixel,
    // which are rounded, would lead to a neighbour of the right one.
    const QTransform toScreen(place.image.width() / level.width(), 0, 0,
        place.image.height() / level.height(), place.image.left(), place.image.top());
    const QRectF seen = toScreen.inverted().mapRect(place.image & QRectF(place.view));
    const QRect part = seen.toAlignedRect().adjusted(-1, -1, 1, 1) & level.rect();
    painter.drawImage(toScreen.mapRect(QRectF(part)), level, QRectF(part));
}

void paintPixelGrid(QPainter& painter, const ScreenPlace& place) {
    constexpr double kLeastSide = 8; // logical pixels of an image pixel
    const double scale = place.scale();
    if (scale < kLeastSide * place.pixelRatio)
        return;
    const QRect seen = (place.image & QRectF(place.view)).toAlignedRect();
    const QColor colour(128, 128, 128, 120); // seen on black and on white
    const auto firstLine = [scale](double from, double image) {
        return static_cast<int>(std::max(std::ceil((from - image) / scale), 0.0));
    };
    for (int i = firstLine(seen.left(), place.image.left()); i <= place.imageSize.width(); ++i) {
        const int x = qRound(place.image.left() + i * scale);
        if (x > seen.right())
            break;
        painter.fillRect(x, seen.top(), 1, seen.height(), colour);
    }
    for (int i = firstLine(seen.top(), place.image.top()); i <= place.imageSize.height(); ++i) {
        const int y = qRound(place.image.top() + i * scale);
        if (y > seen.bottom())
            break;
        painter.fillRect(seen.left(), y, seen.width(), 1, colour);
    }
}

void paintMasks(
    MaskOverlay& overlay, const ScreenPlace& place, const MaskModel& masks, const MaskLook& look) {
    constexpr double kBehind = 0.4;
    constexpr double kShade = 0.43; // around a line, so that it is seen on its own colour
    overlay.begin(
        place.view.size(), place.image.translated(-place.view.topLeft()), place.imageSize);
    const std::optional<int> emphasised = masks.emphasised();
    const double opacity = look.opacity / 100.0;
    for (int i = 0; i < masks.rowCount() && look.style == MaskStyle::Filled; ++i)
        if (const MaskRuns* runs = shownRuns(masks.row(i)))
            overlay.fill(*runs, masks.row(i).colour,
                !emphasised || emphasised == i ? opacity : opacity * kBehind);
    if (look.opacity == 0 && look.style == MaskStyle::Filled)
        return;
    const auto pixels = [&](double width) { return qRound(width * place.pixelRatio); };
    const auto outline = [&](int i) {
        const MaskRuns* runs = shownRuns(masks.row(i));
        if (runs == nullptr)
            return;
        const bool stands = emphasised == i;
        const double strength = !emphasised || stands ? 1 : kBehind;
        overlay.outline(*runs, Qt::black, kShade * strength, pixels(stands ? 5.5 : 3.5));
        if (stands)
            overlay.outline(*runs, Qt::white, strength, pixels(3.5));
        overlay.outline(*runs, masks.row(i).colour, strength, pixels(1.5));
    };
    for (int i = 0; i < masks.rowCount(); ++i)
        if (emphasised != i)
            outline(i);
    if (emphasised)
        outline(*emphasised); // above the others
}

void paintPrompts(QPainter& painter, const ImageGeometry& geometry, const PromptSet& prompts) {
    const PainterState state(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const BoxPrompt& box : prompts.boxes())
        paintBox(painter, geometry.toView(QRectF(QPointF(box.x0, box.y0), QPointF(box.x1, box.y1))),
            Qt::SolidLine);
    for (const PointPrompt& point : prompts.points())
        paintPoint(painter, geometry.toView(QPointF(point.x, point.y)), point.sign);
}

void paintRubberBand(QPainter& painter, const ImageGeometry& geometry, const QRectF& image) {
    const PainterState state(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBox(painter, geometry.toView(image), Qt::DashLine);
}

void paintCross(QPainter& painter, const ImageGeometry& geometry, QPointF image) {
    constexpr double kArm = 12;
    constexpr double kGap = 3;
    const PainterState state(painter);
    const QPointF at = geometry.toView(image);
    for (const auto& [colour, width] :
        {std::pair(QColor(0, 0, 0, 160), 4.0), std::pair(QColor(Qt::white), 2.0)}) {
        painter.setPen(QPen(colour, width));
        for (const QPointF direction :
            {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)})
            painter.drawLine(at + direction * kGap, at + direction * kArm);
    }
}

} // namespace maskscope
