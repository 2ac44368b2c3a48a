// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/past_pair.h"

#include "ui/convert.h"
#include "ui/history_model.h"

#include <QCoreApplication>
#include <utility>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(PastPair)
};

ComparedRuns comparedRun(const RunRecord& run) {
    ComparedRuns compared = pastRun(run, toStdString(localTimeText(run.header.started)));
    if (const Report* report = reportOf(run))
        compared.header.settings.sampling.seed = report->seed; // as it was drawn
    return compared;
}

} // namespace

PastPair pairOf(const RunRecord& first, const RunRecord& second, const ImageReader& reader) {
    std::vector runs{comparedRun(first), comparedRun(second)};
    if (runs[0].header.title == runs[1].header.title)
        runs[1].header.title += ", 2";
    PastPair pair;
    pair.runs = std::make_shared<const std::vector<ComparedRuns>>(std::move(runs));
    pair.scene = sceneOf(first, reader);
    if (first.header.image.digest != second.header.image.digest)
        pair.note
            = Text::tr("The two runs looked at different pictures: the results of both lie on "
                       "the first one's.");
    else if (!pair.scene.isOriginal)
        pair.note = Text::tr("The picture is not there as it was, so the results lie on an empty "
                             "one.");
    return pair;
}

} // namespace maskscope
