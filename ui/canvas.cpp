// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas.h"

#include "ui/canvas_painter.h"
#include "ui/mask_model.h"

#include <QApplication>
#include <QHash>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointingDevice>
#include <QWheelEvent>
#include <cmath>
#include <utility>

namespace maskscope {

namespace {

constexpr double kZoomStep = 1.25; // per notch of the wheel
constexpr double kScrollStep = 48; // logical pixels per notch
constexpr double kNotch = 120; // Qt's unit
constexpr double kPanStep = 40; // per arrow key
constexpr int kBackdrop
    = 108; // per cent darker than the window, so that white images show their edge
constexpr double kLeastBox = 3; // logical pixels; anything smaller was a click

} // namespace

Canvas::Canvas(MaskModel& masks, QWidget* parent)
    : QWidget(parent)
    , m_masks(masks) {
    setObjectName(QStringLiteral("canvas"));
    setAccessibleName(tr("Image"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(&m_masks, &MaskModel::appearanceChanged, this, &Canvas::repaintMasks);
}

void Canvas::setPicture(const std::shared_ptr<const Picture>& picture) {
    cancelDrag();
    m_cross.reset();
    m_picture = picture;
    setAccessibleDescription(tr("%1, %2 by %3 pixels")
                                 .arg(picture->name)
                                 .arg(picture->size().width())
                                 .arg(picture->size().height()));
    setGeometryOfImage(ImageGeometry(picture->size(), size(), devicePixelRatioF()));
}

void Canvas::setTool(Tool tool) {
    cancelDrag();
    m_tool = tool;
    m_cross.reset();
    m_masks.setHovered({});
    updateCursor();
    update();
}

void Canvas::setPrompts(const PromptSet& prompts, PromptMarks marks) {
    m_prompts = prompts;
    m_marks = marks;
    update();
}

void Canvas::setMaskOpacity(int percent) {
    m_opacity = percent;
    repaintMasks();
}

void Canvas::setMaskStyle(MaskStyle style) {
    m_style = style;
    repaintMasks();
}

void Canvas::setPixelGrid(PixelGrid grid) {
    m_grid = grid;
    update();
}

void Canvas::repaintMasks() {
    m_overlayIsCurrent = false;
    update();
}

void Canvas::setGeometryOfImage(const ImageGeometry& geometry) {
    m_geometry = geometry;
    Q_EMIT scaleChanged(m_geometry.scale());
    repaintMasks();
}

void Canvas::fit() {
    setGeometryOfImage(m_geometry.fitted());
}

void Canvas::showActualSize() {
    setGeometryOfImage(m_geometry.withScale(1, QRectF(rect()).center()));
}

void Canvas::zoomIn() {
    setGeometryOfImage(m_geometry.zoomedAt(QRectF(rect()).center(), kZoomStep));
}

void Canvas::zoomOut() {
    setGeometryOfImage(m_geometry.zoomedAt(QRectF(rect()).center(), 1 / kZoomStep));
}

bool Canvas::event(QEvent* event) {
    // Escape means the box that is being drawn before it means anything to the window.
    if (event->type() == QEvent::ShortcutOverride && m_boxStart
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void Canvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window).darker(kBackdrop));
    if (!m_picture)
        return;
    paintOnScreenPixels(painter);
    if (m_tool != Tool::Words || m_marks == PromptMarks::Always)
        paintPrompts(painter, m_geometry, m_prompts);
    if (m_boxStart)
        paintRubberBand(painter, m_geometry, QRectF(*m_boxStart, m_boxEnd).normalized());
    if (m_cross)
        paintCross(painter, m_geometry, *m_cross);
    if (m_showsFocus) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void Canvas::paintOnScreenPixels(QPainter& painter) {
    const QTransform toScreen = painter.deviceTransform();
    const QPointF corner = toScreen.map(QPointF(0, 0));
    const QPointF phase(corner.x() - std::floor(corner.x()), corner.y() - std::floor(corner.y()));
    if (phase != m_geometry.phase()) {
        m_geometry = m_geometry.withPhase(phase);
        m_overlayIsCurrent = false;
    }
    const ScreenPlace place{toScreen.mapRect(QRectF(rect())).toAlignedRect(),
        toScreen.mapRect(m_geometry.imageRect()), m_geometry.imageSize(),
        painter.device()->devicePixelRatioF()};
    const ScreenPixels pixels(painter);
    paintPicture(painter, place, *m_picture);
    if (m_grid == PixelGrid::Shown)
        paintPixelGrid(painter, place);
    if (!m_masks.isAnyShown())
        return;
    if (!std::exchange(m_overlayIsCurrent, true))
        paintMasks(m_overlay, place, m_masks, {m_opacity, m_style});
    painter.drawImage(place.view.topLeft(), m_overlay.image());
}

void Canvas::resizeEvent(QResizeEvent*) {
    setGeometryOfImage(m_geometry.resized(size(), devicePixelRatioF()));
}

void Canvas::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool scrolls
        = sideways || event->pointingDevice()->type() == QInputDevice::DeviceType::TouchPad;
    if (event->modifiers().testFlag(Qt::ControlModifier) || !scrolls) {
        const double notches = turned.y() / kNotch;
        setGeometryOfImage(m_geometry.zoomedAt(event->position(), std::pow(kZoomStep, notches)));
    } else {
        QPointF delta = event->pixelDelta().isNull() ? QPointF(turned) * (kScrollStep / kNotch)
                                                     : QPointF(event->pixelDelta());
        if (sideways && delta.x() == 0) // some systems turn it themselves
            delta = delta.transposed();
        setGeometryOfImage(m_geometry.panned(delta));
    }
    event->accept();
}

QPointF Canvas::pointerInImage(const QMouseEvent& event) const {
    const double half = 0.5 / devicePixelRatioF();
    return m_geometry.toImage(event.position() + QPointF(half, half));
}

std::optional<int> Canvas::maskUnder(const QMouseEvent& event) const {
    const QPointF image = pointerInImage(event);
    return m_masks.rowAt(
        static_cast<int>(std::floor(image.x())), static_cast<int>(std::floor(image.y())));
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    if (!m_picture || m_drag != Drag::None)
        return;
    m_dragStart = event->position();
    m_dragGeometry = m_geometry;
    m_dragButton = event->button();
    const QPointF image = pointerInImage(*event);
    const bool left = event->button() == Qt::LeftButton;
    const bool onImage = QRectF(QPointF(0, 0), m_geometry.imageSize()).contains(image);
    if (event->button() == Qt::MiddleButton || (left && m_spaceHeld)) {
        m_drag = Drag::Pan;
    } else if (m_tool == Tool::Words && left) {
        m_drag = Drag::MaybePan;
    } else if (m_tool == Tool::Points && onImage && (left || event->button() == Qt::RightButton)) {
        const bool excludes = !left || event->modifiers().testFlag(Qt::ShiftModifier);
        placePoint(image, excludes ? PointSign::Negative : PointSign::Positive);
    } else if (m_tool == Tool::Box && left) {
        m_drag = Drag::Box;
        m_boxStart = m_boxEnd = m_geometry.clampedToImage(image);
    }
    updateCursor();
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF moved = event->position() - m_dragStart;
    if (m_drag == Drag::MaybePan && moved.manhattanLength() >= QApplication::startDragDistance())
        m_drag = Drag::Pan;
    if (m_drag == Drag::Pan) {
        setGeometryOfImage(m_dragGeometry.panned(moved));
        updateCursor();
    } else if (m_drag == Drag::Box) {
        m_boxEnd = m_geometry.clampedToImage(pointerInImage(*event));
        update();
    } else if (m_picture && m_drag == Drag::None && m_tool == Tool::Words) {
        Q_EMIT maskHovered(maskUnder(*event));
    }
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::None || event->button() != m_dragButton)
        return;
    if (m_drag == Drag::MaybePan)
        Q_EMIT maskClicked(maskUnder(*event));
    if (m_drag == Drag::Box)
        finishBox(m_geometry.clampedToImage(pointerInImage(*event)),
            event->modifiers().testFlag(Qt::ControlModifier) ? BoxOrder::Another
                                                             : BoxOrder::Replace);
    m_drag = Drag::None;
    updateCursor();
}

void Canvas::leaveEvent(QEvent*) {
    Q_EMIT maskHovered({});
}

void Canvas::placePoint(QPointF image, PointSign sign) {
    const QPointF inside = m_geometry.clampedToImage(image);
    Q_EMIT pointPlaced({inside.x(), inside.y(), sign});
}

void Canvas::finishBox(QPointF image, BoxOrder order) {
    const QRectF box = QRectF(*m_boxStart, image).normalized();
    cancelDrag();
    const QRectF seen = m_geometry.toView(box);
    if (seen.width() >= kLeastBox && seen.height() >= kLeastBox)
        Q_EMIT boxDrawn({box.left(), box.top(), box.right(), box.bottom()}, order);
}

void Canvas::cancelDrag() {
    m_drag = Drag::None;
    m_boxStart.reset();
    update();
}

void Canvas::updateCursor() {
    if (m_drag == Drag::Pan)
        setCursor(Qt::ClosedHandCursor);
    else if (m_spaceHeld)
        setCursor(Qt::OpenHandCursor);
    else if (m_tool == Tool::Words)
        setCursor(Qt::ArrowCursor);
    else
        setCursor(Qt::CrossCursor);
}

bool Canvas::moveCross(QKeyEvent* event) {
    static const QHash<int, QPointF> kDirections{{Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}},
        {Qt::Key_Up, {0, -1}}, {Qt::Key_Down, {0, 1}}};
    const auto direction = kDirections.constFind(event->key());
    if (direction == kDirections.constEnd())
        return false;
    if (m_tool == Tool::Words) {
        setGeometryOfImage(m_geometry.panned(-*direction * kPanStep));
        return true;
    }
    const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? 32 : 8;
    const QPointF from = m_cross.value_or(m_geometry.toImage(QRectF(rect()).center()));
    m_cross = m_geometry.clampedToImage(
        m_cross ? from + *direction * (step / m_geometry.zoom()) : from);
    if (m_boxStart)
        m_boxEnd = *m_cross;
    update();
    return true;
}

void Canvas::pressCross(QKeyEvent* event) {
    if (m_tool == Tool::Points) {
        placePoint(*m_cross,
            event->modifiers().testFlag(Qt::ShiftModifier) ? PointSign::Negative
                                                           : PointSign::Positive);
    } else if (!m_boxStart) {
        m_boxStart = m_boxEnd = *m_cross;
        update();
    } else {
        finishBox(*m_cross, BoxOrder::Replace);
    }
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    if (!m_picture || !obey(event))
        QWidget::keyPressEvent(event);
}

bool Canvas::obey(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Space) {
        m_spaceHeld = true;
        updateCursor();
    } else if (event->key() == Qt::Key_Escape && m_boxStart) {
        cancelDrag();
    } else if (event->key() == Qt::Key_Plus) {
        zoomIn();
    } else if (event->key() == Qt::Key_Minus) {
        zoomOut();
    } else if (enter && m_cross && m_tool != Tool::Words) {
        pressCross(event);
    } else {
        return moveCross(event);
    }
    return true;
}

void Canvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        updateCursor();
    } else {
        QWidget::keyReleaseEvent(event);
    }
}

void Canvas::focusInEvent(QFocusEvent* event) {
    m_showsFocus = event->reason() == Qt::TabFocusReason
        || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
}

void Canvas::focusOutEvent(QFocusEvent* event) {
    m_spaceHeld = false;
    m_showsFocus = false;
    updateCursor();
    QWidget::focusOutEvent(event);
}

} // namespace maskscope
