// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/past_pair.h"

#include "core/history/run_summary.h"
#include "ui/convert.h"
#include "ui/graph_axis.h"

#include <QCoreApplication>
#include <utility>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(PastPair)
};

/// How each was run, as far as it tells them apart; the same ways get numbers.
std::pair<QString, QString> titlesOf(const RunSummary& first, const RunSummary& second) {
    QStringList one{toQString(first.attention)}, other{toQString(second.attention)};
    const auto add = [&](const QString& ofFirst, const QString& ofSecond) {
        if (ofFirst != ofSecond) {
            one += ofFirst;
            other += ofSecond;
        }
    };
    const auto patches = [](const RunSummary& run) {
        return run.patches ? Text::tr("%1 patches").arg(countText(*run.patches))
                           : Text::tr("no patches");
    };
    const auto cache
        = [](const RunSummary& run) { return Text::tr("KV cache %1").arg(toQString(run.kvCache)); };
    add(toQString(first.precision), toQString(second.precision));
    add(patches(first), patches(second));
    add(cache(first), cache(second));
    add(toQString(first.device), toQString(second.device));
    if (one == other) {
        one += Text::tr("run 1");
        other += Text::tr("run 2");
    }
    return {one.join(QStringLiteral(", ")), other.join(QStringLiteral(", "))};
}

ComparedRuns comparedRun(const RunRecord& run, const QString& title) {
    ComparedRuns compared = pastRun(run, {});
    compared.header.title = toStdString(title);
    if (const Report* report = reportOf(run))
        compared.header.settings.sampling.seed = report->seed; // as it was drawn
    return compared;
}

} // namespace

PastPair pairOf(const RunRecord& first, const RunRecord& second, const ImageReader& reader) {
    const auto [one, other] = titlesOf(summaryOf(first), summaryOf(second));
    std::vector runs{comparedRun(first, one), comparedRun(second, other)};
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
