// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_graph.h"

#include "ui/axis_ticker.h"
#include "ui/colours.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

constexpr double kShortestMs = 500; // shown at least while it runs, so that the start does not jump
constexpr double kShortestEndedMs = 50;
constexpr int kPixelsPerByteMark = 36;
constexpr int kPixelsPerTimeMark = 90;
constexpr int kAreaAlpha = 190;
constexpr int kBandAlpha = 26;
constexpr double kPeakReach = 14; // pixels around the mark that count as the peak

} // namespace

MemoryGraph::MemoryGraph(const MemorySeries& series, const StageTrack& stages, QWidget* parent)
    : ZoomPlot(parent)
    , m_series(series)
    , m_stages(stages) {
    setObjectName(QStringLiteral("memoryGraph"));
    setAccessibleName(tr("Memory graph"));
    setMouseTracking(true);
    axisRect()->setMinimumMargins({8, 6, 8, 4});
    yAxis2->setVisible(true);
    for (QCPAxis* axis : {yAxis, yAxis2})
        axis->setTicker(QSharedPointer<AxisTicker>::create(AxisTicker::Unit::Bytes, 4));
    xAxis->setTicker(QSharedPointer<AxisTicker>::create(AxisTicker::Unit::Time, 6));
    makeGraphs();
    makeMarks();
    applyPalette();
    updateRanges();
    zoomAlong(xAxis, nullptr);
    connect(this, &ZoomPlot::zoomed, this, &MemoryGraph::refresh);
    connect(this, &ZoomPlot::clickedAt, this, &MemoryGraph::click);
}

void MemoryGraph::makeGraphs() {
    // Behind the grid come the bands, before everything the pointer's line.
    addLayer(QStringLiteral("bands"), layer(QStringLiteral("grid")), limBelow);
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        QCPGraph* area = addGraph();
        area->setLineStyle(QCPGraph::lsStepLeft);
        area->setAntialiased(false);
        const QColor colour = colourOf(static_cast<MemoryCategory>(i));
        area->setPen(Qt::NoPen);
        area->setBrush(withAlpha(colour, kAreaAlpha));
        if (i > 0)
            area->setChannelFillGraph(m_areas.at(i - 1));
        m_areas.at(i) = area;
    }
    m_process = addGraph(xAxis, yAxis2);
}

void MemoryGraph::makeMarks() {
    m_peak = new QCPItemTracer(this);
    m_peak->setStyle(QCPItemTracer::tsCircle);
    m_peak->setSize(8);
    m_peak->setVisible(false);
    m_peakText = new QCPItemText(this);
    m_peakText->setPadding({4, 1, 4, 1});
    m_peakText->setVisible(false);
    setHint(tr("Memory is drawn here while something runs."));
    m_pointer = new QCPItemStraightLine(this);
    m_pointer->setVisible(false);
}

void MemoryGraph::applyPalette() {
    ZoomPlot::applyPalette();
    const QPalette& colours = palette();
    const QColor text = colours.color(QPalette::WindowText);
    yAxis2->grid()->setVisible(false);
    xAxis->grid()->setVisible(false);
    m_process->setPen(QPen(processColour(colours), 1.5, Qt::DashLine));
    m_peak->setPen(QPen(text, 1.5));
    m_peak->setBrush(colours.color(QPalette::Base));
    m_peakText->setColor(text);
    m_peakText->setFont(font());
    m_peakText->setBrush(withAlpha(colours.color(QPalette::Base), 210));
    m_peakText->setPen(Qt::NoPen);
    m_pointer->setPen(QPen(withAlpha(text, 150), 1));
}

void MemoryGraph::refresh() {
    updateRanges();
    updateCurves();
    updateBands();
    updatePeak();
    replot(rpQueuedReplot);
}

void MemoryGraph::setWeights(Weights weights) {
    m_weights = weights;
    refresh();
}

void MemoryGraph::updateRanges() {
    const MemorySample* peak = m_series.peak(m_weights);
    const std::int64_t most = peak != nullptr ? liveBytes(*peak, m_weights) : 0;
    std::int64_t process = 0;
    for (const MemorySample& sample : m_series.samples())
        process = std::max(process, sample.process.value_or(0));
    setRanges([&] {
        if (!isZoomed())
            xAxis->setRange(
                0, std::max(m_stages.isOpen() ? kShortestMs : kShortestEndedMs, m_series.lastMs()));
        else if (xAxis->range().lower < 0)
            xAxis->setRangeLower(0);
        yAxis->setRange(0, bytesAxis(static_cast<double>(most), 4).upper);
        yAxis2->setRange(0, bytesAxis(static_cast<double>(process), 4).upper);
    });
    setEmpty(m_series.isEmpty());
    yAxis2->setTickLabels(process > 0);
    for (QCPAxis* axis : {yAxis, yAxis2})
        fitMarks(axis, kPixelsPerByteMark);
    fitMarks(xAxis, kPixelsPerTimeMark);
}

void MemoryGraph::updateCurves() {
    const QCPRange range = xAxis->range();
    const std::vector<MemorySample> shown
        = m_series.thinned(range.lower, range.upper, std::max(1, axisRect()->width()));
    std::array<QVector<QCPGraphData>, kMemoryCategories> areas;
    for (const MemorySample& sample : shown) {
        BytesByCategory bytes = sample.byCategory;
        if (m_weights == Weights::Hidden)
            bytes.at(static_cast<std::size_t>(MemoryCategory::Weights)) = 0;
        const BytesByCategory edges = stacked(bytes);
        for (std::size_t i = 0; i < kMemoryCategories; ++i)
            areas.at(i).append({sample.tMs, static_cast<double>(edges.at(i))});
    }
    const auto used = m_series.used();
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        m_areas.at(i)->data()->set(areas.at(i), true);
        m_areas.at(i)->setVisible(used.at(i));
    }
    QVector<QCPGraphData> process;
    for (const ProcessPoint& point : processLine(m_series.samples()))
        process.append({point.tMs, point.bytes});
    m_process->data()->set(process, true);
}

void MemoryGraph::updateBands() {
    const auto& bands = m_stages.bands();
    std::size_t count = 0;
    for (const StageTrack::Band& band : bands) {
        if (band.depth > 0)
            continue;
        if (count == m_bands.size()) {
            auto* rect = new QCPItemRect(this);
            rect->setLayer(QStringLiteral("bands"));
            rect->setPen(Qt::NoPen);
            for (QCPItemPosition* corner : {rect->topLeft, rect->bottomRight}) {
                corner->setTypeX(QCPItemPosition::ptPlotCoords);
                corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
            }
            m_bands.push_back(rect);
        }
        QCPItemRect* rect = m_bands[count++];
        rect->topLeft->setCoords(band.beginMs, 0);
        rect->bottomRight->setCoords(band.endMs.value_or(m_series.lastMs()), 1);
        rect->setBrush(withAlpha(colourOf(band.stage), kBandAlpha));
        rect->setVisible(true);
    }
    for (; count < m_bands.size(); ++count)
        m_bands[count]->setVisible(false);
}

void MemoryGraph::updatePeak() {
    const MemorySample* peak = m_series.peak(m_weights);
    const bool shown = peak != nullptr && xAxis->range().contains(peak->tMs);
    m_peak->setVisible(shown);
    m_peakText->setVisible(shown);
    if (!shown)
        return;
    const std::int64_t live = liveBytes(*peak, m_weights);
    m_peak->position->setCoords(peak->tMs, static_cast<double>(live));
    m_peakText->setText(m_weights == Weights::Shown
            ? tr("peak %1").arg(sizeText(live))
            : tr("peak %1 above the weights").arg(sizeText(live)));
    const bool onTheRight = xAxis->coordToPixel(peak->tMs) > axisRect()->center().x();
    m_peakText->setPositionAlignment(
        (onTheRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    m_peakText->position->setParentAnchor(m_peak->position);
    m_peakText->position->setType(QCPItemPosition::ptAbsolute);
    m_peakText->position->setCoords(onTheRight ? -8 : 8, 0);
}

void MemoryGraph::click(const QPointF& at) {
    if (m_series.isEmpty() || !axisRect()->rect().contains(at.toPoint()))
        return;
    const QPointF fromPeak = at - m_peak->position->pixelPosition();
    if (m_peak->visible() && std::hypot(fromPeak.x(), fromPeak.y()) < kPeakReach)
        Q_EMIT peakClicked();
    else
        Q_EMIT momentClicked(msAt(at.x()));
}

void MemoryGraph::mouseMoveEvent(QMouseEvent* event) {
    ZoomPlot::mouseMoveEvent(event);
    const bool inside = axisRect()->rect().contains(event->position().toPoint());
    const bool shown = inside && !m_series.isEmpty();
    const double tMs = msAt(event->position().x());
    m_pointer->setVisible(shown);
    m_pointer->point1->setCoords(tMs, 0);
    m_pointer->point2->setCoords(tMs, 1);
    replot(rpQueuedReplot);
    Q_EMIT hoveredAt(shown ? std::optional(tMs) : std::nullopt);
}

void MemoryGraph::leaveEvent(QEvent* event) {
    ZoomPlot::leaveEvent(event);
    m_pointer->setVisible(false);
    replot(rpQueuedReplot);
    Q_EMIT hoveredAt({});
}

} // namespace maskscope
