// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage_strip.h"

#include "ui/colours.h"
#include "ui/graph_axis.h"
#include "ui/read_out.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace maskscope {

namespace {

constexpr double kMaskRow = 4;

} // namespace

StageStrip::StageStrip(const StageTrack& stages, QWidget* parent)
    : QWidget(parent)
    , m_stages(stages) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Stages"));
}

void StageStrip::setAxis(const TimeAxis& axis) {
    m_axis = axis;
    update();
}

QSize StageStrip::sizeHint() const {
    return {200, fontMetrics().height() + 4 + static_cast<int>(kMaskRow)};
}

QRectF StageStrip::rectOf(const StageTrack::Band& band) const {
    const auto toPixel
        = [&](double tMs) { return std::clamp(m_axis.pixelOf(tMs), m_axis.left, m_axis.right); };
    const double from = toPixel(band.beginMs);
    const double to = toPixel(band.endMs.value_or(m_axis.nowMs));
    const double names = height() - kMaskRow;
    return band.depth == 0 ? QRectF(from, 1, to - from, names - 2)
                           : QRectF(from, names, to - from, kMaskRow - 1);
}

QString StageStrip::labelOf(const StageTrack::Band& band, double width) const {
    QStringList labels{titleOf(band.stage)};
    if (band.extraPeakBytes)
        labels.prepend(tr("%1 %2").arg(titleOf(band.stage), sizeText(*band.extraPeakBytes)));
    if (const auto predicted = m_stages.predicted(band.stage); predicted && band.extraPeakBytes)
        labels.prepend(tr("%1 (predicted %2)").arg(labels.front(), sizeText(*predicted)));
    for (const QString& label : labels)
        if (fontMetrics().horizontalAdvance(label) + 8 <= width)
            return label;
    return {};
}

void StageStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    for (const StageTrack::Band& band : m_stages.bands()) {
        QRectF area = rectOf(band);
        if (area.width() <= 0)
            continue;
        area.setWidth(std::max(1.0, area.width() - 1)); // a gap to the next one
        const QColor colour = colourOf(band.stage);
        painter.fillRect(area, colour);
        if (band.depth > 0)
            continue;
        painter.setPen(textOn(colour));
        painter.drawText(area, Qt::AlignCenter, labelOf(band, area.width()));
    }
}

bool StageStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    for (const StageTrack::Band& band : m_stages.bands()) {
        // A pixel of slack on each side: short stages are hard to hit.
        if (!rectOf(band).adjusted(-1, 0, 1, 0).contains(help->pos()))
            continue;
        text = titleOf(band.stage);
        if (band.endMs)
            text = tr("%1: %2, extra peak %3, predicted %4")
                       .arg(text, durationText(*band.endMs - band.beginMs),
                           sizeText(band.extraPeakBytes), sizeText(m_stages.predicted(band.stage)));
    }
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace maskscope
