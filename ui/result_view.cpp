// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/result_view.h"

#include "ui/colours.h"
#include "ui/mask_overlay.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>

namespace maskscope {

namespace {

constexpr int kMostSide = 1600; ///< pixels of what is painted
constexpr double kOpacity = 0.5;
constexpr double kStep = 0.02; ///< of the divider, for a key or a notch of the wheel
constexpr int kMargin = 8;
constexpr int kPadding = 12; ///< beside a title, both sides together

/// Small enough to be made between two frames.
QImage baseOf(const Picture& picture) {
    std::size_t level = 0;
    while (level + 1 < picture.levels.size()
        && std::max(picture.levels[level].width(), picture.levels[level].height()) > kMostSide)
        ++level;
    return picture.levels[level].convertToFormat(QImage::Format_ARGB32_Premultiplied);
}

/// The masks of a report in a colour each, over nothing.
QImage masksOf(const Report* report, QSize size, const QColor& single = {}) {
    MaskOverlay overlay;
    const bool none = report == nullptr || report->masks.empty();
    overlay.begin(size, QRectF(QPointF(0, 0), size),
        none ? size : QSize(report->masks.front()->width, report->masks.front()->height));
    if (none)
        return overlay.image();
    for (const auto& mask : report->masks)
        overlay.fill(runsOf(*mask), single.isValid() ? single : colourOfMask(mask->index), 1);
    return overlay.image();
}

QImage withMasks(QImage base, const Report* report) {
    const QImage masks = masksOf(report, base.size());
    QPainter painter(&base);
    painter.setOpacity(kOpacity);
    painter.drawImage(0, 0, masks);
    return base;
}

/// What is in `one` and not in `other`.
QImage onlyIn(const Report* one, const Report* other, QSize size, const QColor& colour) {
    QImage image = masksOf(one, size, colour);
    QPainter painter(&image);
    painter.setCompositionMode(QPainter::CompositionMode_DestinationOut);
    painter.drawImage(0, 0, masksOf(other, size, Qt::black));
    return image;
}

QImage differenceOf(const QImage& base, const Report* first, const Report* second) {
    QImage image = base.convertToFormat(QImage::Format_Grayscale8)
                       .convertToFormat(QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    painter.fillRect(image.rect(), QColor(255, 255, 255, 170));
    painter.drawImage(0, 0, onlyIn(first, second, image.size(), colourOfMask(0)));
    painter.drawImage(0, 0, onlyIn(second, first, image.size(), colourOfMask(1)));
    return image;
}

} // namespace

ResultView::ResultView(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("resultView"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Results of two runs"));
    setCursor(Qt::SplitHCursor);
    setToolTip(tr("Drag the divider, or move it with Shift and the wheel or the arrow keys"));
}

void ResultView::setResults(const std::shared_ptr<const Picture>& picture, const Report* first,
    const Report* second, const QString& firstTitle, const QString& secondTitle) {
    m_picture = picture;
    m_firstTitle = firstTitle;
    m_secondTitle = secondTitle;
    if (picture) {
        const QImage base = baseOf(*picture);
        m_first = withMasks(base, first);
        m_second = withMasks(base, second);
        m_difference = differenceOf(base, first, second);
    }
    setAccessibleDescription(tr("%1 left, %2 right").arg(firstTitle, secondTitle));
    update();
}

void ResultView::setMode(ResultMode mode) {
    m_mode = mode;
    setCursor(mode == ResultMode::Divided ? Qt::SplitHCursor : Qt::ArrowCursor);
    update();
}

void ResultView::setDivider(double share) {
    m_divider = std::clamp(share, 0.0, 1.0);
    update();
}

QRectF ResultView::pictureRect() const {
    const QSizeF size = QSizeF(m_picture->size()).scaled(this->size(), Qt::KeepAspectRatio);
    return {QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

void ResultView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!m_picture) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter, tr("The results are shown here side by side."));
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QRectF rect = pictureRect();
    if (m_mode == ResultMode::Difference)
        painter.drawImage(rect, m_difference);
    else
        paintDivided(painter, rect);
    paintTitles(painter, rect);
}

void ResultView::paintDivided(QPainter& painter, const QRectF& rect) {
    const double x = rect.left() + m_divider * rect.width();
    painter.drawImage(rect, m_second);
    painter.save();
    painter.setClipRect(QRectF(rect.topLeft(), QPointF(x, rect.bottom())));
    painter.drawImage(rect, m_first);
    painter.restore();
    painter.setPen(QPen(Qt::black, 3));
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
    painter.setPen(
        QPen(hasFocus() ? palette().color(QPalette::Highlight) : QColor(Qt::white), 1.5));
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
}

void ResultView::paintTitles(QPainter& painter, const QRectF& rect) {
    const auto title = [&](const QString& text, Qt::Alignment side, const QColor& colour) {
        const QString shown = fontMetrics().elidedText(
            text, Qt::ElideRight, int(rect.width() / 2 - 1.5 * kMargin) - kPadding);
        const QSize size = fontMetrics().size(Qt::TextSingleLine, shown) + QSize(kPadding, 6);
        QRectF box(QPointF(), size);
        box.moveTop(rect.top() + kMargin);
        if (side == Qt::AlignLeft)
            box.moveLeft(rect.left() + kMargin);
        else
            box.moveRight(rect.right() - kMargin);
        painter.fillRect(box, colour);
        painter.setPen(textOn(colour));
        painter.drawText(box, Qt::AlignCenter, shown);
    };
    const bool divided = m_mode == ResultMode::Divided;
    title(divided ? m_firstTitle : tr("only %1").arg(m_firstTitle), Qt::AlignLeft, colourOfMask(0));
    title(divided ? m_secondTitle : tr("only %1").arg(m_secondTitle), Qt::AlignRight,
        colourOfMask(1));
}

void ResultView::moveTo(double x) {
    if (!m_picture || m_mode == ResultMode::Difference)
        return;
    const QRectF rect = pictureRect();
    setDivider((x - rect.left()) / std::max(rect.width(), 1.0));
}

void ResultView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        moveTo(event->position().x());
}

void ResultView::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0)
        moveTo(event->position().x());
}

void ResultView::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ShiftModifier) == 0) {
        event->ignore();
        return;
    }
    // Some systems turn the wheel sideways while Shift is held.
    const int delta
        = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    setDivider(m_divider - kStep * delta / int(QWheelEvent::DefaultDeltasPerStep));
}

void ResultView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        setDivider(m_divider - kStep);
        break;
    case Qt::Key_Right:
        setDivider(m_divider + kStep);
        break;
    case Qt::Key_Home:
        setDivider(0);
        break;
    case Qt::Key_End:
        setDivider(1);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ResultView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    update();
}

} // namespace maskscope
