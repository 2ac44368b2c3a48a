// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_plot.h"

#include "core/measure/published.h"
#include "ui/axis_ticker.h"
#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/graph_axis.h"
#include "ui/sweep_sheets.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

namespace maskscope {

namespace {

constexpr int kSteps = 160; ///< of a curve
constexpr double kNear = 14; ///< pixels from a mark
constexpr double kAir = 1.04; ///< right of the largest size
constexpr int kPixelsPerByteMark = 44;
constexpr double kGb = 1e9;

constexpr double kLine = 2; ///< width of a fit
constexpr double kWideLine = 4.5; ///< of sdpa's, on which that of flash lies as a rule

/// Of a measured point: shapes that are seen through each other where paths take the same.
QCPScatterStyle markOf(LayerPath path) {
    const QColor colour = colourOf(path);
    const QPen pen(colour, 2);
    switch (path) {
    case LayerPath::Sdpa:
        return {QCPScatterStyle::ssCircle, pen, Qt::NoBrush, 13};
    case LayerPath::Flash:
        return {QCPScatterStyle::ssDisc, colour, 7};
    case LayerPath::Ring:
        return {QCPScatterStyle::ssDiamond, pen, Qt::NoBrush, 17};
    case LayerPath::CppModule:
        return {QCPScatterStyle::ssSquare, pen, Qt::NoBrush, 11};
    case LayerPath::EncoderLayer:
        return {QCPScatterStyle::ssTriangle, pen, Qt::NoBrush, 14};
    case LayerPath::Mha:
        break;
    }
    return {QCPScatterStyle::ssDisc, colour, 8};
}

/// Numbers of patches with a separator of thousands.
class PatchTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return countText(std::llround(tick));
    }
    int getSubTickCount(double) override { return 0; }
};

template <class Bytes>
QVector<QCPGraphData> curveOf(double from, double to, Bytes bytes) {
    QVector<QCPGraphData> data;
    for (int step = 0; step <= kSteps; ++step) {
        const double patches = std::max(1.0, from + (to - from) * step / kSteps);
        data.append({patches, bytes(patches)});
    }
    return data;
}

} // namespace

SweepPlot::SweepPlot(QWidget* parent)
    : ZoomPlot(parent)
    , m_linearTicker(QSharedPointer<AxisTicker>::create(AxisTicker::Unit::Bytes, 5))
    , m_logTicker(QSharedPointer<LogBytesTicker>::create()) {
    setObjectName(QStringLiteral("sweepPlot"));
    setAccessibleName(tr("Plot of the sweep"));
    axisRect()->setMinimumMargins({8, 10, 12, 4});
    xAxis->setTicker(QSharedPointer<PatchTicker>::create());
    xAxis->setLabel(tr("patches of 16 × 16 pixels"));
    yAxis->setTicker(m_linearTicker);
    legend->setVisible(true);
    axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignLeft | Qt::AlignTop);
    zoomAlong(xAxis, yAxis);
    connect(this, &ZoomPlot::clickedAt, this, [this](const QPointF& at) {
        if (const Mark* mark = markAt(at); mark && mark->point)
            Q_EMIT pointClicked(*mark->point);
    });
}

void SweepPlot::setRecord(const SweepRecord& record, int threads) {
    m_record = record;
    m_threads = threads;
    refresh();
}

void SweepPlot::setScale(ByteScale scale) {
    m_scale = scale;
    const bool linear = scale == ByteScale::Linear;
    yAxis->setScaleType(linear ? QCPAxis::stLinear : QCPAxis::stLogarithmic);
    yAxis->setTicker(linear ? m_linearTicker : m_logTicker);
    // Where curves are not.
    axisRect()->insetLayout()->setInsetAlignment(
        0, linear ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignRight | Qt::AlignBottom);
    resetZoom();
}

void SweepPlot::setPublished(PublishedCurve published) {
    m_published = published;
    resetZoom();
}

void SweepPlot::refresh() {
    clearPlottables();
    m_marks.clear();
    m_most = 0;
    m_least = std::numeric_limits<double>::max();
    const std::vector<SweepFit> fits = fitsOf(m_record.points);
    for (const LayerPath path : m_record.plan.paths)
        drawPath(path, fits);
    if (m_published == PublishedCurve::Shown)
        drawPublished();
    updateRanges();
    replot(rpQueuedReplot);
}

void SweepPlot::drawPath(LayerPath path, const std::vector<SweepFit>& fits) {
    const std::vector<std::int64_t> sizes = sizesOf(m_record.plan);
    if (sizes.empty())
        return;
    const QColor colour = colourOf(path);
    const QString name = toQString(nameOf(path));
    const int threads = threadsOf(m_record.plan, m_threads);
    const auto predicted = [&](double patches) {
        return double(
            layerPeakBytes(pointAt(m_record.plan, path, std::llround(patches)).shape, threads));
    };
    addCurve(QPen(withAlpha(colour, 170), 1.4, Qt::DashLine),
        curveOf(double(sizes.front()) / 2, double(sizes.back()) * kAir, predicted));
    if (const Fit* fit = describingFit(fits, path))
        addCurve(QPen(colour, path == LayerPath::Sdpa ? kWideLine : kLine),
            curveOf(double(sizes.front()) / 2, double(sizes.back()) * kAir,
                [fit](double patches) { return fit->at(patches); }));
    QVector<QCPGraphData> dots;
    for (const SweepPoint& point : m_record.points)
        if (point.path == path) {
            const auto bytes = double(point.figures.extraPeakBytes);
            dots.append({double(point.patches), bytes});
            m_marks.push_back({double(point.patches), bytes,
                tr("%1 over %2 patches: %3 measured, %4 predicted, %5. Click to see its tensors.")
                    .arg(name, countText(point.patches), sizeText(point.figures.extraPeakBytes),
                        sizeText(point.figures.predictedBytes), durationText(point.figures.ms)),
                SweepPlace{path, point.patches}});
        }
    addMarks(dots, markOf(path), name);
    QVector<QCPGraphData> crosses;
    for (const SweepEnd& end : m_record.ends)
        if (end.path == path) {
            const double bytes = predicted(double(end.patches));
            crosses.append({double(end.patches), bytes});
            m_marks.push_back({double(end.patches), bytes, toQString(end.error.sentence), {}});
        }
    if (!crosses.isEmpty())
        addMarks(crosses,
            QCPScatterStyle(QCPScatterStyle::ssCross, QPen(colour, 3), Qt::NoBrush, 12),
            tr("%1 out of memory").arg(name));
}

void SweepPlot::drawPublished() {
    const QColor colour = palette().color(QPalette::PlaceholderText);
    const QString device = toQString(kPublishedDevice);
    const Fit fit = publishedFit();
    const std::vector<std::int64_t> sizes = sizesOf(m_record.plan);
    const double most = sizes.empty() ? 0 : double(sizes.back()) * kAir;
    addCurve(QPen(colour, 1.6, Qt::DotLine),
        curveOf(double(kPublishedFigures.front().patches), std::max(most, 12'000.0),
            [&fit](double patches) { return fit.at(patches); }));
    for (const bool mha : {true, false}) {
        QVector<QCPGraphData> dots;
        const QString name = mha ? tr("mha, published") : tr("sdpa, published");
        for (const PublishedFigure& figure : kPublishedFigures)
            if (const auto gb = mha ? figure.mhaGb : figure.sdpaGb) {
                dots.append({double(figure.patches), *gb * kGb});
                m_marks.push_back({double(figure.patches), *gb * kGb,
                    tr("%1 over %2 patches: %3 GB (%4)")
                        .arg(name, countText(figure.patches))
                        .arg(*gb, 0, 'f', 2)
                        .arg(device),
                    {}});
            }
        addMarks(dots,
            QCPScatterStyle(mha ? QCPScatterStyle::ssSquare : QCPScatterStyle::ssTriangle,
                QPen(colour, 1.6), Qt::NoBrush, 8),
            tr("%1 (another device)").arg(name));
    }
}

QCPGraph* SweepPlot::addCurve(
    const QPen& pen, const QVector<QCPGraphData>& points, const QString& name) {
    QCPGraph* graph = addGraph();
    graph->setPen(pen);
    graph->data()->set(points, true);
    graph->setName(name);
    if (name.isEmpty())
        graph->removeFromLegend();
    for (const QCPGraphData& point : points)
        if (point.value > 0) {
            m_most = std::max(m_most, point.value);
            m_least = std::min(m_least, point.value);
        }
    return graph;
}

void SweepPlot::addMarks(
    const QVector<QCPGraphData>& points, const QCPScatterStyle& style, const QString& name) {
    QCPGraph* graph = addCurve(Qt::NoPen, points, name);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(style);
}

void SweepPlot::updateRanges() {
    const int marks = std::max(2, axisRect()->height() / kPixelsPerByteMark);
    m_linearTicker.staticCast<AxisTicker>()->setWantedMarks(marks);
    m_logTicker.staticCast<LogBytesTicker>()->setWantedMarks(marks);
    if (isZoomed() || m_most <= 0)
        return;
    bool found = false;
    double widest = 1;
    for (int i = 0; i < graphCount(); ++i)
        widest = std::max(widest, graph(i)->getKeyRange(found).upper);
    setRanges([&] {
        xAxis->setRange(0, widest);
        if (m_scale == ByteScale::Linear)
            yAxis->setRange(0, bytesAxis(m_most, 4).upper);
        else
            yAxis->setRange(m_least / 2, m_most * 2);
    });
}

const SweepPlot::Mark* SweepPlot::markAt(const QPointF& at) const {
    const Mark* nearest = nullptr;
    double least = kNear;
    for (const Mark& mark : m_marks) {
        const QPointF place(xAxis->coordToPixel(mark.patches), yAxis->coordToPixel(mark.bytes));
        const double distance = std::hypot(place.x() - at.x(), place.y() - at.y());
        if (distance < least) {
            least = distance;
            nearest = &mark;
        }
    }
    return nearest;
}

QString SweepPlot::textAt(const QPointF& at) const {
    const Mark* mark = markAt(at);
    return mark ? mark->text : QString();
}

bool SweepPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return ZoomPlot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), toolTipText(text), this);
    return true;
}

} // namespace maskscope
