// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/past_pair.h"

#include "ui/convert.h"
#include "ui/history_model.h"

#include <QCoreApplication>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(PastPair)
};

QString titleOf(const RunRecord& run) {
    const RunSummary summary = summaryOf(run);
    const QString name = summary.title.empty()
        ? QStringLiteral("%1, %2").arg(toQString(summary.attention), toQString(summary.precision))
        : toQString(summary.title);
    return Text::tr("%1 of %2").arg(name, localTimeText(summary.started));
}

ComparedRuns comparedRun(const RunRecord& run, const QString& title) {
    ComparedRuns compared{run.header, {run}};
    compared.header.title = toStdString(title);
    if (const Report* report = reportOf(run))
        compared.header.settings.sampling.seed = report->seed; // as it was drawn
    return compared;
}

} // namespace

PastPair pairOf(const RunRecord& first, const RunRecord& second, const ImageReader& reader) {
    const QString title = titleOf(first);
    QString other = titleOf(second);
    if (other == title)
        other += QStringLiteral(" (2)");
    PastPair pair;
    pair.runs = std::make_shared<const std::vector<ComparedRuns>>(
        std::vector{comparedRun(first, title), comparedRun(second, other)});
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
