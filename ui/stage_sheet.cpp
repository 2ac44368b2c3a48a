// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage_sheet.h"

#include "ui/colours.h"
#include "ui/graph_axis.h"
#include "ui/read_out.h"

#include <QCoreApplication>
#include <algorithm>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(StageSheet)
};

} // namespace

FigureSheet stageSheet(const StageTrack& stages, std::optional<std::int64_t> runPeak,
    std::optional<std::int64_t> runPredicted) {
    FigureSheet sheet;
    sheet.columns = {{Text::tr("Stage")},
        {Text::tr("Extra peak"),
            Text::tr("Highest live tensor bytes during the stage minus those at its start")},
        {Text::tr("Predicted"),
            Text::tr("The same from shapes alone; of the stages once the answer's length is "
                     "known, of the run before it began")}};
    for (const Stage stage :
        {Stage::Image, Stage::Vision, Stage::Prefill, Stage::Decode, Stage::Mask}) {
        std::optional<std::int64_t> peak;
        for (const StageTrack::Band& band : stages.bands())
            if (band.stage == stage && band.extraPeakBytes)
                peak = std::max(peak.value_or(0), *band.extraPeakBytes);
        if (peak)
            sheet.rows.push_back(
                {{titleOf(stage), sizeText(*peak), sizeText(stages.predicted(stage))},
                    colourOf(stage)});
    }
    if (!sheet.rows.empty())
        sheet.rows.push_back({{Text::tr("run"), sizeText(runPeak), sizeText(runPredicted)}});
    return sheet;
}

} // namespace maskscope
