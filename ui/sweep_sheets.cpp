// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_sheets.h"

#include "core/measure/published.h"
#include "core/measure/sweep_story.h"
#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/graph_axis.h"

#include <QCoreApplication>
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

/// Never "-0.000".
QString coefficientText(double bytes) {
    constexpr double kUnseen = 0.0005;
    return Text::tr("%1 bytes").arg(std::abs(bytes) < kUnseen ? 0 : bytes, 0, 'f', 3);
}

bool isMeasured(const SweepRecord& record, LayerPath path) {
    return std::ranges::any_of(
        record.points, [&](const SweepPoint& point) { return point.path == path; });
}

/// Of a curve through a path's points, where `describing` is the one that is its law, or null.
QString verdictOf(const Fit& fit, const Fit* describing) {
    if (&fit == describing)
        return Text::tr("yes");
    if (describing == nullptr)
        return Text::tr("no");
    return fit.degree() > describing->degree()
        ? Text::tr("no: P² adds nothing to the line")
        : Text::tr("no: a line does not grow as the points do");
}

FigureSheet::Row fitRow(const QString& name, const Fit& fit, const Fit* describing) {
    const bool line = fit.degree() == 1;
    return {{name, line ? Text::tr("line") : Text::tr("quadratic"),
                line ? none() : coefficientText(fit.coefficients[2]),
                sizeText(static_cast<std::int64_t>(fit.slopePer1024())),
                sizeText(static_cast<std::int64_t>(fit.coefficients[0])),
                QString::number(fit.r2, 'f', 6), verdictOf(fit, describing)},
        {}, &fit == describing ? FigureSheet::Kind::Outstanding : FigureSheet::Kind::Aside};
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
    sheet.columns = {{Text::tr("Path")}, {Text::tr("Curve")},
        {Text::tr("Per P²"),
            Text::tr("The quadratic coefficient: each P × P matrix costs heads × "
                     "bytes of an element")},
        {Text::tr("Per 1,024 patches"), Text::tr("The slope of the linear part")},
        {Text::tr("Intercept"), Text::tr("What no patch at all would take")},
        {Text::tr("R²"), Text::tr("1 where the points lie on the curve")},
        {Text::tr("Is it the law?"), {}, FigureSheet::Align::Left}};
    const std::vector<SweepFit> fits = fitsOf(record.points);
    const std::vector<std::string> laws = lawsOf(record);
    auto law = laws.begin(); // one for each path that was measured
    for (const LayerPath path : record.plan.paths) {
        if (!isMeasured(record, path) || law == laws.end())
            continue;
        sheet.rows.push_back({{toQString(*law++)}, colourOf(path), FigureSheet::Kind::Heading});
        const Fit* describing = describingFit(fits, path);
        for (const bool first : {true, false})
            for (const SweepFit& entry : fits)
                if (entry.path == path && (&entry.fit == describing) == first)
                    sheet.rows.push_back(fitRow(nameText(path), entry.fit, describing));
    }
    const Fit published = publishedFit();
    sheet.rows.push_back({{Text::tr("Published: %1").arg(toQString(kPublishedDevice))}, {},
        FigureSheet::Kind::Heading});
    sheet.rows.push_back(fitRow(nameText(LayerPath::Mha), published, &published));
    return sheet;
}

} // namespace maskscope
