// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_plot.h"

#include "ui/axis_ticker.h"
#include "ui/colours.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

constexpr double kShortestMs = 100;
constexpr int kPixelsPerByteMark = 40;
constexpr int kPixelsPerTimeMark = 90;
constexpr int kAreaAlpha = 46;

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
    refresh();
}

void ComparePlot::begin(const QStringList& titles) {
    clearGraphs();
    m_curves.clear();
    m_series.assign(std::size_t(titles.size()), MemorySeries());
    for (qsizetype i = 0; i < titles.size(); ++i) {
        QCPGraph* curve = addGraph();
        curve->setName(titles[i]);
        curve->setLineStyle(QCPGraph::lsStepLeft);
        curve->setPen(QPen(colourOfMask(int(i)), 1.6));
        curve->setBrush(withAlpha(colourOfMask(int(i)), kAreaAlpha));
        m_curves.push_back(curve);
    }
    m_difference = addGraph();
    m_difference->setName(
        titles.size() > 1 ? tr("%1 minus %2").arg(titles[1], titles[0]) : QString());
    m_difference->setLineStyle(QCPGraph::lsStepLeft);
    legend->setVisible(true);
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

void ComparePlot::applyPalette() {
    ZoomPlot::applyPalette();
    const QColor text = palette().color(QPalette::WindowText);
    yAxis->grid()->setZeroLinePen(QPen(withAlpha(text, 90)));
    xAxis->grid()->setVisible(false);
    if (m_difference)
        m_difference->setPen(QPen(text, 1.2, Qt::DashLine));
}

} // namespace maskscope
