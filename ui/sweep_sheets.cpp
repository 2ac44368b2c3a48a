// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_sheets.h"

#include "core/measure/published.h"
#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/graph_axis.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(SweepSheets)
};

QString none() {
    return QStringLiteral("–");
}

QString nameText(LayerPath path) {
    return toQString(nameOf(path));
}

std::int64_t predictedBytes(
    const SweepPlan& plan, LayerPath path, std::int64_t patches, int threads) {
    return layerPeakBytes(pointAt(plan, path, patches).shape, threadsOf(plan, threads));
}

/// What became of a point that has no figures.
QString stateText(const SweepRecord& record, LayerPath path, std::int64_t patches,
    const std::optional<SweepPlace>& running) {
    for (const SweepEnd& end : record.ends)
        if (end.path == path && end.patches <= patches)
            return end.patches == patches ? Text::tr("out of memory") : Text::tr("left out");
    if (running && running->path == path && running->patches == patches)
        return Text::tr("measuring…");
    return none();
}

/// Measured where it was, else foretold.
QString hereText(const SweepRecord& record, LayerPath path, std::int64_t patches, int threads) {
    if (const SweepPoint* point = pointOf(record, path, patches))
        return sizeText(point->figures.extraPeakBytes);
    return QStringLiteral("≈ ") + sizeText(predictedBytes(record.plan, path, patches, threads));
}

/// Never "-0.000".
QString coefficientText(double bytes) {
    constexpr double kUnseen = 0.0005;
    return Text::tr("%1 bytes").arg(std::abs(bytes) < kUnseen ? 0 : bytes, 0, 'f', 3);
}

QString gigabytes(std::optional<double> gb) {
    return gb ? QStringLiteral("%1 GB").arg(*gb, 0, 'f', 2) : none();
}

/// "1.20 MiB, 1.10 MiB", or nothing for other paths.
QString ranksText(const SweepPoint* point) {
    QStringList ranks;
    if (point != nullptr)
        for (const std::int64_t bytes : point->figures.rankPeakBytes)
            ranks += sizeText(bytes);
    return ranks.join(QStringLiteral(", "));
}

} // namespace

int threadsOf(const SweepPlan& plan, int threads) {
    return plan.point.threads > 0 ? plan.point.threads : std::max(1, threads);
}

const SweepPoint* pointOf(const SweepRecord& record, LayerPath path, std::int64_t patches) {
    const auto found = std::find_if(record.points.begin(), record.points.end(),
        [&](const SweepPoint& point) { return point.path == path && point.patches == patches; });
    return found == record.points.end() ? nullptr : &*found;
}

QString countText(std::int64_t count) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
}

FigureSheet pointSheet(
    const SweepRecord& record, int threads, const std::optional<SweepPlace>& running) {
    FigureSheet sheet;
    sheet.columns = {{Text::tr("Path")}, {Text::tr("Patches")},
        {Text::tr("Extra peak"),
            Text::tr(
                "Highest live tensor bytes during the layer minus those before it: the same on "
                "every run")},
        {Text::tr("Predicted"), Text::tr("The extra peak from shapes alone, before anything runs")},
        {Text::tr("Over load"),
            Text::tr(
                "Above the state after loading, as the reference measures: the input counts too")},
        {Text::tr("Process"),
            Text::tr(
                "Growth of the process's resident high-water mark in its first run, which also "
                "sees what libraries take beside tensors")},
        {Text::tr("Time"), Text::tr("Median of the repeats")}};
    const bool ring
        = std::ranges::find(record.plan.paths, LayerPath::Ring) != record.plan.paths.end();
    if (ring)
        sheet.columns.push_back(
            {Text::tr("Ranks"), Text::tr("What each rank of the ring holds at most, rank 0 first"),
                FigureSheet::Align::Left});
    for (const LayerPath path : record.plan.paths)
        for (const std::int64_t patches : sizesOf(record.plan)) {
            QStringList cells{nameText(path), countText(patches)};
            const QString predicted = sizeText(predictedBytes(record.plan, path, patches, threads));
            if (const SweepPoint* point = pointOf(record, path, patches)) {
                const LayerFigures& figures = point->figures;
                cells += {sizeText(figures.extraPeakBytes), sizeText(figures.predictedBytes),
                    sizeText(figures.overLoadBytes), sizeText(figures.highWaterGrowthBytes),
                    durationText(figures.ms)};
            } else {
                cells += {
                    stateText(record, path, patches, running), predicted, none(), none(), none()};
            }
            if (ring)
                cells += ranksText(pointOf(record, path, patches));
            sheet.rows.push_back({cells, colourOf(path)});
        }
    return sheet;
}

std::optional<SweepPlace> measuredPoint(const SweepRecord& record, int row) {
    const std::vector<std::int64_t> sizes = sizesOf(record.plan);
    const auto count = static_cast<int>(sizes.size());
    if (row < 0 || row >= count * static_cast<int>(record.plan.paths.size()))
        return {};
    const SweepPlace place{record.plan.paths[static_cast<std::size_t>(row / count)],
        sizes[static_cast<std::size_t>(row % count)]};
    return pointOf(record, place.path, place.patches) ? std::optional(place) : std::nullopt;
}

FigureSheet fitSheet(const SweepRecord& record) {
    FigureSheet sheet;
    sheet.columns = {{Text::tr("Path")}, {Text::tr("Law")},
        {Text::tr("Per 1,024 patches"), Text::tr("The slope of the linear part")},
        {Text::tr("Per P²"),
            Text::tr("The quadratic coefficient: each P × P matrix costs heads × "
                     "bytes of an element")},
        {Text::tr("Intercept"), Text::tr("What no patch at all would take")},
        {Text::tr("R²"), Text::tr("1 where the points lie on the curve")}};
    const std::vector<SweepFit> fits = fitsOf(record.points);
    for (const LayerPath path : record.plan.paths) {
        const Fit* describing = describingFit(fits, path);
        for (const bool first : {true, false})
            for (const SweepFit& entry : fits) {
                const Fit& fit = entry.fit;
                if (entry.path != path || (&fit == describing) != first)
                    continue;
                const bool line = fit.degree() == 1;
                QStringList cells{nameText(path), line ? Text::tr("line") : Text::tr("quadratic"),
                    sizeText(static_cast<std::int64_t>(fit.slopePer1024())),
                    line ? none() : coefficientText(fit.coefficients[2]),
                    sizeText(static_cast<std::int64_t>(fit.coefficients[0])),
                    QString::number(fit.r2, 'f', 6)};
                sheet.rows.push_back({cells, first ? colourOf(path) : QColor()});
            }
    }
    return sheet;
}

FigureSheet publishedSheet(const SweepRecord& record, int threads) {
    FigureSheet sheet;
    const QString published
        = Text::tr("Published: %1. Not this machine.").arg(toQString(kPublishedDevice));
    const QString here
        = Text::tr("One layer of the sweep's shape on this machine; ≈ is a prediction "
                   "where it was not measured");
    sheet.columns
        = {{Text::tr("Input")}, {Text::tr("Patches")}, {Text::tr("mha, published"), published},
            {Text::tr("its quadratic"), published}, {Text::tr("sdpa, published"), published},
            {Text::tr("mha here"), here}, {Text::tr("sdpa here"), here}};
    const auto add = [&](const QString& input, std::int64_t patches, const QStringList& figures) {
        sheet.rows.push_back({QStringList{input, countText(patches)} + figures
            + QStringList{hereText(record, LayerPath::Mha, patches, threads),
                hereText(record, LayerPath::Sdpa, patches, threads)}});
    };
    for (const PublishedFigure& figure : kPublishedFigures) {
        const double fitted = publishedFit().at(double(figure.patches));
        add(toQString(figure.input), figure.patches,
            {figure.remark.empty() ? gigabytes(figure.mhaGb) : toQString(figure.remark),
                gigabytes(fitted / 1e9), gigabytes(figure.sdpaGb)});
    }
    add(Text::tr("one layer, CPU, fp32"), kPublishedCpu.patches,
        {sizeText(kPublishedCpu.mhaBytes), none(), sizeText(kPublishedCpu.sdpaBytes)});
    return sheet;
}

} // namespace maskscope
