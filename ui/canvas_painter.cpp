// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas_painter.h"

#include "ui/colours.h"

namespace maskscope {

namespace {

// Masks whose layer is not made yet have nothing to paint.
const MaskLayer* shownLayer(const MaskModel::Row& row) {
    return row.visibility == Visibility::Shown && row.layer && !row.layer->rect.isEmpty()
        ? row.layer.get()
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

void useImageCoordinates(QPainter& painter, const ImageGeometry& geometry) {
    const QPointF origin = geometry.imageRect().topLeft();
    painter.translate(origin);
    painter.scale(geometry.zoom(), geometry.zoom());
}

QPen cosmeticPen(const QColor& colour, double width) {
    QPen pen(colour, width);
    pen.setCosmetic(true);
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

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

void paintPicture(QPainter& painter, const ImageGeometry& geometry, const Picture& picture) {
    const PainterState state(painter);
    // Between half and double size smoothing helps; beyond, the pixels themselves are wanted.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, geometry.scale() < 2);
    const QImage& level
        = picture.levels.at(static_cast<std::size_t>(picture.levelFor(geometry.scale())));
    painter.drawImage(geometry.imageRect(), level, QRectF(level.rect()));
}

void paintMasks(QPainter& painter, const ImageGeometry& geometry, const MaskModel& masks,
    const MaskLook& look) {
    constexpr double kBehind = 0.4;
    const PainterState state(painter);
    const std::optional<int> emphasised = masks.emphasised();
    const double opacity = look.opacity / 100.0;
    useImageCoordinates(painter, geometry);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, geometry.scale() < 1);
    for (int i = 0; i < masks.rowCount() && look.style == MaskStyle::Filled; ++i) {
        const MaskLayer* layer = shownLayer(masks.row(i));
        if (layer == nullptr)
            continue;
        painter.setOpacity(!emphasised || *emphasised == i ? opacity : opacity * kBehind);
        painter.drawImage(QRectF(layer->rect), layer->fill);
    }
    painter.setOpacity(1);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (int i = 0; i < masks.rowCount(); ++i) {
        const MaskLayer* layer = shownLayer(masks.row(i));
        if (layer == nullptr || (look.opacity == 0 && look.style == MaskStyle::Filled))
            continue;
        const bool stands = emphasised == i;
        painter.setOpacity(!emphasised || stands ? 1 : kBehind);
        painter.setPen(cosmeticPen(QColor(0, 0, 0, 110), stands ? 5 : 3));
        painter.drawPath(layer->outline);
        painter.setPen(
            cosmeticPen(stands ? QColor(Qt::white) : masks.row(i).colour, stands ? 3 : 1.5));
        painter.drawPath(layer->outline);
        if (stands) {
            painter.setPen(cosmeticPen(masks.row(i).colour, 1.5));
            painter.drawPath(layer->outline);
        }
    }
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
