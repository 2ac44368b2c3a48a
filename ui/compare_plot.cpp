// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_plot.h"

#include "ui/axis_ticker.h"
#include "ui/colours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace maskscope {

namespace {

constexpr double kShortestMs = 100;
constexpr int kPixelsPerByteMark = 40;
constexpr int kPixelsPerTimeMark = 90;
constexpr int kAreaAlpha = 46;
constexpr double kPeakReach = 14; // pixels around the mark that count as the peak

} // namespace

ComparePlot::ComparePlot(QWidget* parent)
    : ZoomPlot(parent) {
    setObjectName(QStringLiteral("comparePlot"));
    setAccessibleName(tr("Memory of the compared runs"));
    axisRect()->setMinimumMargins({8, 6, 8, 4});
    xAxis->setTicker(QSharedPointer<AxisTicker>::create(AxisTicker::Unit::Time, 6));
    yAxis->setTicker(QSharedPointer<AxisTicker>::create(AxisTicker::Unit::Bytes, 4));
    axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    setHint(tr("The runs draw their memory here, all on one time axis."));
    applyPalette();
    zoomAlong(xAxis, nullptr);
    connect(this, &ZoomPlot::zoomed, this, &ComparePlot::refresh);
    connect(this, &ZoomPlot::clickedAt, this, &ComparePlot::click);
    refresh();
}

void ComparePlot::begin(const QStringList& titles) {
    clearGraphs();
    m_curves.clear();
    for (QCPItemTracer* peak : m_peaks)
        removeItem(peak);
    m_peaks.clear();
    m_series.assign(std::size_t(titles.size()), MemorySeries());
    for (qsizetype i = 0; i < titles.size(); ++i) {
        QCPGraph* curve = addGraph();
        curve->setName(titles[i]);
        curve->setLineStyle(QCPGraph::lsStepLeft);
        curve->setPen(QPen(colourOfMask(int(i)), 1.6));
        curve->setBrush(withAlpha(colourOfMask(int(i)), kAreaAlpha));
        m_curves.push_back(curve);
        auto* peak = new QCPItemTracer(this);
        peak->setStyle(QCPItemTracer::tsCircle);
        peak->setSize(8);
        m_peaks.push_back(peak);
    }
    m_difference = addGraph();
    m_difference->setName(
        titles.size() > 1 ? tr("%1 minus %2").arg(titles[1], titles[0]) : QString());
    m_difference->setLineStyle(QCPGraph::lsStepLeft);
    legend->setVisible(!titles.isEmpty());
    applyPalette();
    setDifference(m_shown);
    resetZoom();
}

void ComparePlot::add(int curve, const std::vector<MemorySample>& samples) {
    if (curve < 0 || std::size_t(curve) >= m_series.size())
        return;
    for (const MemorySample& sample : samples)
        m_series[std::size_t(curve)].add(sample);
    refresh();
}

void ComparePlot::setDifference(DifferenceLine difference) {
    m_shown = difference;
    if (m_difference) {
        m_difference->setVisible(difference == DifferenceLine::Shown);
        if (difference == DifferenceLine::Shown)
            m_difference->addToLegend();
        else
            m_difference->removeFromLegend();
    }
    refresh();
}

double ComparePlot::extraAt(std::size_t curve, double tMs) const {
    const MemorySeries& series = m_series[curve];
    const MemorySample* sample = series.at(tMs);
    return sample ? double(sample->live - series.samples().front().live) : 0;
}

std::vector<MemorySample> ComparePlot::shownOf(const MemorySeries& series) const {
    const QCPRange range
        = isZoomed() ? xAxis->range() : QCPRange(0, std::max(1.0, series.lastMs()));
    return series.thinned(range.lower, range.upper, std::max(1, axisRect()->width()));
}

void ComparePlot::refresh() {
    updateCurves();
    updateDifference();
    updateRanges();
    updatePeaks();
    setEmpty(std::ranges::all_of(m_series, &MemorySeries::isEmpty));
    replot(rpQueuedReplot);
}

void ComparePlot::updateCurves() {
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        QVector<QCPGraphData> line;
        for (const MemorySample& sample : shownOf(m_series[i]))
            line.append({sample.tMs, double(sample.live - m_series[i].samples().front().live)});
        m_curves[i]->data()->set(line, true);
    }
}

void ComparePlot::updateDifference() {
    if (!m_difference || m_shown == DifferenceLine::Hidden || m_series.size() < 2)
        return;
    std::vector<double> times;
    for (const std::size_t i : {std::size_t(0), std::size_t(1)})
        for (const MemorySample& sample : shownOf(m_series[i]))
            times.push_back(sample.tMs);
    std::ranges::sort(times);
    QVector<QCPGraphData> line;
    for (const double tMs : times)
        line.append({tMs, extraAt(1, tMs) - extraAt(0, tMs)});
    m_difference->data()->set(line, true);
}

void ComparePlot::updateRanges() {
    double last = kShortestMs, most = 1, least = 0;
    for (const QCPGraph* curve : m_curves)
        for (const QCPGraphData& point : *curve->data()) {
            last = std::max(last, point.key);
            most = std::max(most, point.value);
        }
    if (m_difference && m_difference->visible())
        for (const QCPGraphData& point : *m_difference->data()) {
            least = std::min(least, point.value);
            most = std::max(most, point.value);
        }
    setRanges([&] {
        if (!isZoomed())
            xAxis->setRange(0, last);
        yAxis->setRange(least * 1.05, bytesAxis(most, 4).upper);
    });
    fitMarks(xAxis, kPixelsPerTimeMark);
    fitMarks(yAxis, kPixelsPerByteMark);
}

void ComparePlot::updatePeaks() {
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const MemorySample* peak = m_series[i].peak();
        m_peaks[i]->setVisible(peak != nullptr && xAxis->range().contains(peak->tMs));
        if (peak != nullptr)
            m_peaks[i]->position->setCoords(
                peak->tMs, double(peak->live - m_series[i].samples().front().live));
    }
}

void ComparePlot::click(const QPointF& at) {
    if (!axisRect()->rect().contains(at.toPoint()))
        return;
    const double tMs = xAxis->pixelToCoord(at.x());
    std::optional<std::size_t> nearest;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (m_series[i].isEmpty() || m_series[i].lastMs() < tMs)
            continue;
        const QPointF fromPeak = at - m_peaks[i]->position->pixelPosition();
        if (m_peaks[i]->visible() && std::hypot(fromPeak.x(), fromPeak.y()) < kPeakReach) {
            Q_EMIT peakClicked(int(i));
            return;
        }
        const double distance = std::abs(yAxis->coordToPixel(extraAt(i, tMs)) - at.y());
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    if (nearest)
        Q_EMIT momentClicked(int(*nearest), tMs);
}

void ComparePlot::applyPalette() {
    ZoomPlot::applyPalette();
    for (std::size_t i = 0; i < m_peaks.size(); ++i) {
        m_peaks[i]->setPen(QPen(colourOfMask(int(i)), 2));
        m_peaks[i]->setBrush(palette().color(QPalette::Base));
    }
    const QColor text = palette().color(QPalette::WindowText);
    yAxis->grid()->setZeroLinePen(QPen(withAlpha(text, 90)));
    xAxis->grid()->setVisible(false);
    if (m_difference)
        m_difference->setPen(QPen(text, 1.2, Qt::DashLine));
}

} // namespace maskscope
