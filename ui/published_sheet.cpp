// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/published_sheet.h"

#include "core/base/change_text.h"
#include "core/measure/published.h"
#include "ui/convert.h"
#include "ui/graph_axis.h"
#include "ui/size_plan.h"
#include "ui/sweep_sheets.h"

#include <QCoreApplication>
#include <algorithm>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(PublishedSheet)
};

constexpr double kGb = 1e9;

using Bytes = std::optional<double>;

QString none() {
    return QStringLiteral("–");
}

QString gigabytes(Bytes bytes) {
    if (!bytes)
        return none();
    const double gb = *bytes / kGb;
    return QString::number(gb, 'f', gb >= 0.1 ? 2 : gb >= 0.01 ? 3 : 4);
}

class Sheet {
public:
    Sheet() {
        const QString unit = Text::tr("10⁹ bytes, as it was published");
        m_sheet.columns = {{Text::tr("Input")}, {Text::tr("Patches")}, {Text::tr("mha, GB"), unit},
            {Text::tr("sdpa, GB"), unit},
            {Text::tr("sdpa takes"),
                Text::tr("Against mha: what can be compared between machines and models")}};
    }

    void heading(const QString& text) {
        m_sheet.rows.push_back({{text}, {}, FigureSheet::Kind::Heading});
    }

    void row(const QString& input, std::int64_t patches, Bytes mha, Bytes sdpa,
        const QString& remark = {}) {
        const QString ratio = mha && sdpa ? toQString(changeText(*mha, *sdpa)) : none();
        m_sheet.rows.push_back({{input, countText(patches),
            remark.isEmpty() ? gigabytes(mha) : remark, gigabytes(sdpa), ratio}});
    }

    FigureSheet take() { return std::move(m_sheet); }

private:
    FigureSheet m_sheet;
};

QString processorOf(const MachineInfo& machine) {
    return machine.processor.empty() ? Text::tr("this machine") : toQString(machine.processor);
}

/// Of most of its weights.
QString precisionOf(const ModelDescription& model) {
    const auto most = std::ranges::max_element(
        model.info.bytesByDtype, {}, [](const auto& entry) { return entry.second; });
    return most == model.info.bytesByDtype.end() ? none() : toQString(most->first);
}

void addPasses(Sheet& sheet, const MachineInfo& machine, const ModelDescription& model) {
    sheet.heading(Text::tr("Published for Xiaomi-Lens-0: %1").arg(toQString(kPublishedDevice)));
    const auto published = [](std::optional<double> gb) { return gb ? Bytes(*gb * kGb) : Bytes(); };
    for (const PublishedFigure& figure : kPublishedFigures)
        sheet.row(toQString(figure.input), figure.patches, published(figure.mhaGb),
            published(figure.sdpaGb), toQString(figure.remark));
    const NeedCurve mha(model.forecasts, AttentionPath::Mha);
    const NeedCurve sdpa(model.forecasts, AttentionPath::Sdpa);
    if (mha.isEmpty() || sdpa.isEmpty())
        return;
    sheet.heading(Text::tr("Predicted for the smaller model %1: %2, %3, whole mask pass")
                      .arg(toQString(model.info.name), processorOf(machine), precisionOf(model)));
    for (const PublishedFigure& figure : kPublishedFigures)
        sheet.row(toQString(figure.input), figure.patches, mha.at(figure.patches).maskBytes,
            sdpa.at(figure.patches).maskBytes);
}

/// The published layer on a path.
LayerShape publishedLayer(LayerPath path) {
    LayerShape shape; // its heads, width and precision
    shape.path = path;
    shape.patches = kPublishedCpu.patches;
    return shape;
}

/// Growth of the process, as it was published; nothing where that layer was not measured.
Bytes measuredGrowth(const SweepRecord& record, LayerPath path) {
    const LayerShape shape = publishedLayer(path);
    const LayerShape& swept = record.plan.point.shape;
    const bool alike = swept.heads == shape.heads && swept.width == shape.width
        && swept.blocks == shape.blocks && swept.precision == shape.precision;
    const SweepPoint* point = alike ? pointOf(record, path, shape.patches) : nullptr;
    return point && point->figures.highWaterGrowthBytes
        ? Bytes(*point->figures.highWaterGrowthBytes)
        : Bytes();
}

void addLayers(Sheet& sheet, const SweepRecord& record, const MachineInfo& machine) {
    const std::int64_t patches = kPublishedCpu.patches;
    sheet.heading(Text::tr("Published: one attention layer of 16 heads and width 1,024, fp32, CPU, "
                           "growth of the process"));
    sheet.row(Text::tr("one layer"), patches, kPublishedCpu.mhaBytes, kPublishedCpu.sdpaBytes);
    Bytes mha = measuredGrowth(record, LayerPath::Mha);
    Bytes sdpa = measuredGrowth(record, LayerPath::Sdpa);
    const bool measured = mha && sdpa;
    if (!measured) {
        const int threads = threadsOf(record.plan, machine.threads);
        mha = layerPeakBytes(publishedLayer(LayerPath::Mha), threads);
        sdpa = layerPeakBytes(publishedLayer(LayerPath::Sdpa), threads);
    }
    sheet.heading((measured ? Text::tr("Measured: the same layer, growth of the process, %1")
                            : Text::tr("Predicted: the tensors of the same layer, %1"))
                      .arg(processorOf(machine)));
    sheet.row(Text::tr("one layer"), patches, mha, sdpa);
}

} // namespace

FigureSheet publishedSheet(
    const SweepRecord& record, const MachineInfo& machine, const ModelDescription& model) {
    Sheet sheet;
    addPasses(sheet, machine, model);
    addLayers(sheet, record, machine);
    return sheet.take();
}

} // namespace maskscope
