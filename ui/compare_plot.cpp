// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_plot.h"

#include "ui/axis_ticker.h"
#include "ui/colours.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

constexpr double kShortestMs = 100;
constexpr int kPixelsPerByteMark = 40;
constexpr int kPixelsPerTimeMark = 90;
constexpr int kAreaAlpha = 46;

QColor withAlpha(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

} // namespace

ComparePlot::ComparePlot(QWidget* parent)
    : QCustomPlot(parent)
    , m_hint(new QCPItemText(this)) {
    setObjectName(QStringLiteral("comparePlot"));
    setAccessibleName(tr("Memory of the compared runs"));
    setFocusPolicy(Qt::NoFocus); // the table says the same to the keyboard
    setSelectionRectMode(QCP::srmZoom);
    axisRect()->setRangeZoomAxes(xAxis, nullptr);
    axisRect()->setMinimumMargins({8, 6, 8, 4});
    xAxis->setTicker(QSharedPointer<AxisTicker>::create(AxisTicker::Unit::Time, 6));
    yAxis->setTicker(QSharedPointer<AxisTicker>::create(AxisTicker::Unit::Bytes, 4));
    axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    m_hint->setText(tr("The runs draw their memory here, all on one time axis."));
    m_hint->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_hint->position->setCoords(0.5, 0.45);
    applyPalette();
    connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
        [this] { m_zoomed = m_zoomed || !m_applyingRange; });
    refresh();
}

void ComparePlot::begin(const QStringList& titles) {
    clearGraphs();
    m_curves.clear();
    m_series.assign(std::size_t(titles.size()), MemorySeries());
    m_zoomed = false;
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

void ComparePlot::refresh() {
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        QVector<QCPGraphData> line;
        const auto shown = m_series[i].thinned(
            0, std::max(1.0, m_series[i].lastMs()), std::max(1, axisRect()->width()));
        for (const MemorySample& sample : shown)
            line.append({sample.tMs, double(sample.live - m_series[i].samples().front().live)});
        m_curves[i]->data()->set(line, true);
    }
    updateDifference();
    updateRanges();
    const bool empty = std::ranges::all_of(m_series, &MemorySeries::isEmpty);
    m_hint->setVisible(empty);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTicks(!empty);
        axis->setTickLabels(!empty);
    }
    replot(rpQueuedReplot);
}

void ComparePlot::updateDifference() {
    if (!m_difference || m_shown == DifferenceLine::Hidden || m_series.size() < 2)
        return;
    std::vector<double> times;
    for (const std::size_t i : {std::size_t(0), std::size_t(1)})
        for (const MemorySample& sample : m_series[i].thinned(
                 0, std::max(1.0, m_series[i].lastMs()), std::max(1, axisRect()->width())))
            times.push_back(sample.tMs);
    std::ranges::sort(times);
    QVector<QCPGraphData> line;
    for (const double tMs : times)
        line.append({tMs, extraAt(1, tMs) - extraAt(0, tMs)});
    m_difference->data()->set(line, true);
}

void ComparePlot::updateRanges() {
    m_applyingRange = true;
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
    if (!m_zoomed)
        xAxis->setRange(0, last);
    yAxis->setRange(least * 1.05, bytesAxis(most, 4).upper);
    xAxis->ticker().staticCast<AxisTicker>()->setWantedMarks(
        std::max(2, axisRect()->width() / kPixelsPerTimeMark));
    yAxis->ticker().staticCast<AxisTicker>()->setWantedMarks(
        std::max(2, axisRect()->height() / kPixelsPerByteMark));
    m_applyingRange = false;
}

void ComparePlot::applyPalette() {
    const QPalette& colours = palette();
    const QColor text = colours.color(QPalette::WindowText);
    setBackground(colours.color(QPalette::Base));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(withAlpha(text, 90)));
        axis->setTickPen(QPen(withAlpha(text, 90)));
        axis->setTickLength(0, 4);
        axis->setTickLabelColor(withAlpha(text, 190));
        axis->setTickLabelFont(font());
        axis->grid()->setPen(QPen(withAlpha(text, 36), 1, Qt::DotLine));
        axis->grid()->setZeroLinePen(QPen(withAlpha(text, 90)));
    }
    xAxis->grid()->setVisible(false);
    if (m_difference)
        m_difference->setPen(QPen(text, 1.2, Qt::DashLine));
    legend->setFont(font());
    legend->setTextColor(text);
    legend->setBrush(withAlpha(colours.color(QPalette::Base), 220));
    legend->setBorderPen(QPen(withAlpha(text, 60)));
    m_hint->setColor(colours.color(QPalette::PlaceholderText));
    m_hint->setFont(font());
    selectionRect()->setPen(QPen(colours.color(QPalette::Highlight)));
    selectionRect()->setBrush(withAlpha(colours.color(QPalette::Highlight), 50));
}

void ComparePlot::resetZoom() {
    m_zoomed = false;
    refresh();
}

void ComparePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton)
        resetZoom();
    else
        QCustomPlot::mousePressEvent(event);
}

void ComparePlot::mouseDoubleClickEvent(QMouseEvent*) {
    resetZoom();
}

void ComparePlot::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyPalette();
        replot(rpQueuedReplot);
    }
}

void ComparePlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    refresh();
}

} // namespace maskscope
