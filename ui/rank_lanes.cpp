// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_lanes.h"

#include "ui/colours.h"
#include "ui/graph_axis.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace maskscope {

namespace {

constexpr int kGap = 2; // pixels between two lanes
constexpr int kMostFullLanes = 4; // more are as high together as these, and have no text
constexpr int kLeastHeight = 8;
constexpr int kAreaAlpha = 190;

} // namespace

RankLanes::RankLanes(const RankSeries& ranks, QWidget* parent)
    : QWidget(parent)
    , m_ranks(ranks) {
    setObjectName(QStringLiteral("rankLanes"));
    setAccessibleName(tr("Memory of the ring's ranks"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void RankLanes::refresh() {
    const int height = minimumHeight();
    setVisible(!m_ranks.isEmpty());
    if (sizeHint().height() != height)
        setFixedHeight(sizeHint().height());
    update();
}

void RankLanes::setAxis(const TimeAxis& axis) {
    m_axis = axis;
    update();
}

void RankLanes::setPointer(std::optional<double> tMs) {
    m_pointerMs = tMs;
    update();
}

int RankLanes::laneHeight() const {
    const int full = fontMetrics().height() + 2;
    const int lanes = std::max(1, int(m_ranks.lanes().size()));
    return lanes <= kMostFullLanes ? full : std::max(kLeastHeight, kMostFullLanes * full / lanes);
}

QSize RankLanes::sizeHint() const {
    return {200, std::max(1, int(m_ranks.lanes().size())) * (laneHeight() + kGap) + kGap};
}

void RankLanes::paintLane(
    QPainter& painter, int rank, const RankSeries::Lane& lane, const QRect& area) {
    painter.fillRect(area, palette().color(QPalette::AlternateBase));
    const double perMs = m_axis.pixelsPerMs();
    const double perByte = area.height() / double(std::max<std::int64_t>(1, m_ranks.highestPeak()));
    // The greatest of a column, and what the last column ended with.
    std::int64_t live = 0, staging = 0;
    const auto& samples = lane.curve.samples();
    std::size_t next = 0;
    for (int x = 0; x < area.width(); ++x) {
        const double until = m_axis.beginMs + (x + 1) / perMs;
        std::int64_t most = live, mostStaging = staging;
        for (; next < samples.size() && samples[next].sample.tMs < until; ++next) {
            live = samples[next].sample.live;
            staging = samples[next].sample.staging;
            if (samples[next].sample.tMs < m_axis.beginMs)
                most = live, mostStaging = staging;
            most = std::max(most, live);
            mostStaging = std::max(mostStaging, staging);
        }
        const auto bar = [&](std::int64_t bytes, MemoryCategory category) {
            const double height = double(bytes) * perByte;
            painter.fillRect(QRectF(area.left() + x, area.bottom() + 1 - height, 1, height),
                withAlpha(colourOf(category), kAreaAlpha));
        };
        if (m_axis.beginMs + x / perMs <= m_axis.nowMs) {
            bar(most, MemoryCategory::MaskDecoder);
            bar(std::min(most, mostStaging), MemoryCategory::RingStaging);
        }
    }
    if (area.height() < fontMetrics().height())
        return;
    const QString text = tr("rank %1 · peak %2").arg(rank).arg(sizeText(lane.peak));
    QRect label = fontMetrics().boundingRect(text).adjusted(-4, 0, 4, 0);
    label.moveTopLeft(area.topLeft() + QPoint(4, (area.height() - label.height()) / 2));
    painter.fillRect(label, withAlpha(palette().color(QPalette::Base), 210));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(label, Qt::AlignCenter, text);
}

void RankLanes::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    QRect area(
        int(m_axis.left), kGap, std::max(0, int(m_axis.right) - int(m_axis.left)), laneHeight());
    for (const auto& [rank, lane] : m_ranks.lanes()) {
        paintLane(painter, rank, lane, area);
        area.translate(0, laneHeight() + kGap);
    }
    if (!m_pointerMs || *m_pointerMs < m_axis.beginMs || *m_pointerMs > m_axis.endMs)
        return;
    const double x = m_axis.pixelOf(*m_pointerMs);
    painter.setPen(withAlpha(palette().color(QPalette::WindowText), 150));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
}

bool RankLanes::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = (help->pos().y() - kGap / 2) / (laneHeight() + kGap);
    if (index < 0 || index >= int(m_ranks.lanes().size())) {
        QToolTip::hideText();
        return true;
    }
    const auto& [rank, lane] = *std::next(m_ranks.lanes().begin(), index);
    QToolTip::showText(help->globalPos(),
        tr("Rank %1: peak %2, of it up to %3 staging for the keys and values that travel")
            .arg(rank)
            .arg(sizeText(lane.peak), sizeText(lane.stagingPeak)),
        this);
    return true;
}

} // namespace maskscope
