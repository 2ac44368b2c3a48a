// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_moment.h"

#include "ui/graph_axis.h"
#include "ui/read_out.h"

#include <QCoreApplication>
#include <numeric>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RunMoment)
};

} // namespace

RunCurve curveOf(const RunRecord& record) {
    RunCurve curve;
    for (const Event& event : record.events)
        if (const auto* began = std::get_if<StageBegan>(&event.payload))
            curve.stages.begin(began->stage, event.tMs);
        else if (const auto* ended = std::get_if<StageEnded>(&event.payload))
            curve.stages.end(*ended, event.tMs);
    for (const MemorySample& sample : memoryOf(record))
        if (curve.series.isEmpty() || sample.device == curve.series.samples().front().device)
            curve.series.add(sample);
    curve.stages.endAll(record.events.empty() ? 0 : record.events.back().tMs);
    return curve;
}

AnatomyMoment momentAt(const MemorySeries& series, const StageTrack& stages, double tMs) {
    AnatomyMoment moment;
    moment.stage = stages.at(tMs);
    if (const MemorySample* sample = series.at(tMs))
        moment.live = sample->byCategory;
    return moment;
}

AnatomyMoment peakOf(const MemorySeries& series, const StageTrack& stages, Weights weights) {
    const MemorySample* peak = series.peak(weights);
    return {peak != nullptr ? stages.at(peak->tMs) : std::nullopt, {}};
}

QString textOf(const AnatomyMoment& moment) {
    if (!moment.live)
        return moment.stage ? Text::tr("the peak of the stage %1").arg(titleOf(*moment.stage))
                            : Text::tr("the peak");
    const QString live
        = sizeText(std::accumulate(moment.live->begin(), moment.live->end(), std::int64_t(0)));
    return moment.stage
        ? Text::tr("where %1 are live in the stage %2").arg(live, titleOf(*moment.stage))
        : Text::tr("where %1 are live").arg(live);
}

} // namespace maskscope
