// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/zoom_plot.h"

#include "ui/axis_ticker.h"
#include "ui/colours.h"

#include <QApplication>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

namespace maskscope {

ZoomPlot::ZoomPlot(QWidget* parent)
    : QCustomPlot(parent) {
    setFocusPolicy(Qt::NoFocus);
    setSelectionRectMode(QCP::srmZoom);
    setNoAntialiasingOnDrag(true);
    m_click.setSingleShot(true);
    m_click.setInterval(QApplication::doubleClickInterval());
    ZoomPlot::applyPalette();
}

void ZoomPlot::zoomAlong(QCPAxis* horizontal, QCPAxis* vertical) {
    axisRect()->setRangeZoomAxes(horizontal, vertical);
    axisRect()->setRangeDragAxes(horizontal, vertical);
    for (QCPAxis* axis : {horizontal, vertical})
        if (axis != nullptr)
            connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
                if (m_settingRanges)
                    return;
                m_zoomed = true;
                Q_EMIT zoomed();
            });
}

void ZoomPlot::resetZoom() {
    m_zoomed = false;
    refresh();
}

void ZoomPlot::fitMarks(QCPAxis* axis, int pixelsPerMark) const {
    const bool across = axis->orientation() == Qt::Horizontal;
    const int length = across ? axisRect()->width() : axisRect()->height();
    axis->ticker().staticCast<AxisTicker>()->setWantedMarks(std::max(2, length / pixelsPerMark));
}

void ZoomPlot::setHint(const QString& text) {
    m_hint = new QCPItemText(this);
    m_hint->setText(text);
    m_hint->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_hint->position->setCoords(0.5, 0.45);
}

void ZoomPlot::setEmpty(bool empty) {
    if (m_hint != nullptr)
        m_hint->setVisible(empty);
    for (QCPAxis* axis : {xAxis, yAxis, yAxis2})
        axis->setTicks(!empty);
    for (QCPAxis* axis : {xAxis, yAxis})
        axis->setTickLabels(!empty);
}

void ZoomPlot::applyPalette() {
    const QPalette& colours = palette();
    const QColor text = colours.color(QPalette::WindowText);
    setBackground(colours.color(QPalette::Base));
    for (QCPAxis* axis : {xAxis, yAxis, yAxis2}) {
        axis->setBasePen(QPen(withAlpha(text, 90)));
        axis->setTickPen(QPen(withAlpha(text, 90)));
        axis->setTickLength(0, 4);
        axis->setTickLabelColor(withAlpha(text, 190));
        axis->setTickLabelFont(font());
        axis->setLabelColor(withAlpha(text, 190));
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(withAlpha(text, 36), 1, Qt::DotLine));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    legend->setFont(font());
    legend->setTextColor(text);
    legend->setBrush(withAlpha(colours.color(QPalette::Base), 210));
    legend->setBorderPen(Qt::NoPen);
    if (m_hint != nullptr) {
        m_hint->setColor(colours.color(QPalette::PlaceholderText));
        m_hint->setFont(font());
    }
    selectionRect()->setPen(QPen(colours.color(QPalette::Highlight)));
    selectionRect()->setBrush(withAlpha(colours.color(QPalette::Highlight), 50));
}

void ZoomPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton) {
        resetZoom();
        return;
    }
    if (event->button() == Qt::LeftButton)
        m_pressed = event->position();
    QCustomPlot::mousePressEvent(event);
}

void ZoomPlot::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    const QPointF at = event->position();
    if (!pressed || (at - *pressed).manhattanLength() > QApplication::startDragDistance())
        return;
    if (!m_zoomed) {
        Q_EMIT clickedAt(at);
        return;
    }
    m_click.disconnect(this);
    connect(&m_click, &QTimer::timeout, this, [this, at] { Q_EMIT clickedAt(at); });
    m_click.start();
}

void ZoomPlot::mouseDoubleClickEvent(QMouseEvent*) {
    m_click.stop();
    resetZoom();
}

void ZoomPlot::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyPalette();
        refresh();
    }
}

void ZoomPlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    refresh();
}

} // namespace maskscope
