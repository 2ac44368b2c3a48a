// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history_model.h"

#include "ui/convert.h"
#include "ui/graph_axis.h"
#include "ui/size_plan.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <utility>

namespace maskscope {

namespace {

QString outcomeText(const RunSummary& run) {
    switch (run.outcome) {
    case RunOutcome::Finished:
        return HistoryModel::tr("finished");
    case RunOutcome::Cancelled:
        return HistoryModel::tr("stopped");
    case RunOutcome::Failed:
        return HistoryModel::tr("failed");
    case RunOutcome::Unfinished:
        break;
    }
    return HistoryModel::tr("unfinished");
}

/// "192 patches (0.05 MP)"
QString sizeOf(std::int64_t patches) {
    constexpr std::int64_t kPixelsOfPatch = 256; // 16 x 16
    return HistoryModel::tr("%1 patches (%2)")
        .arg(countText(patches), megapixelText(patches * kPixelsOfPatch));
}

QString textOf(const RunSummary& run, int column) {
    switch (column) {
    case HistoryModel::Started:
        return localTimeText(run.started);
    case HistoryModel::Asked:
        return askedText(run);
    case HistoryModel::Picture:
        return QFileInfo(toQString(run.imagePath)).fileName();
    case HistoryModel::Path:
        return QStringLiteral("%1, %2").arg(toQString(run.attention), toQString(run.precision));
    case HistoryModel::Patches:
        return run.patches ? countText(*run.patches) : QString();
    case HistoryModel::Cache:
        return toQString(run.kvCache);
    case HistoryModel::Device:
        return deviceText(run.processor, run.device);
    case HistoryModel::Peak:
        return sizeText(run.extraPeakBytes);
    case HistoryModel::Time:
        return durationText(run.totalMs);
    case HistoryModel::Outcome:
        return outcomeText(run);
    default:
        return {};
    }
}

QVariant sortValueOf(const RunSummary& run, int column) {
    switch (column) {
    case HistoryModel::Started:
        return toQString(run.started);
    case HistoryModel::Patches:
        return static_cast<qlonglong>(run.patches.value_or(-1));
    case HistoryModel::Peak:
        return static_cast<qlonglong>(run.extraPeakBytes.value_or(-1));
    case HistoryModel::Time:
        return run.totalMs;
    default:
        return textOf(run, column);
    }
}

bool isFigure(int column) {
    return column == HistoryModel::Patches || column == HistoryModel::Peak
        || column == HistoryModel::Time;
}

QString toolTipOf(const RunSummary& run, int column) {
    switch (column) {
    case HistoryModel::Picture:
        return toolTipText(toQString(run.imagePath));
    case HistoryModel::Patches:
        return run.patches ? toolTipText(sizeOf(*run.patches)) : QString();
    case HistoryModel::Outcome:
        return run.error.empty() ? QString() : toolTipText(toQString(run.error));
    default:
        return toolTipText(textOf(run, column));
    }
}

} // namespace

QString localTimeText(const std::string& started) {
    const QDateTime time = QDateTime::fromString(toQString(started), Qt::ISODate);
    return time.isValid() ? QLocale().toString(time.toLocalTime(), QLocale::ShortFormat)
                          : toQString(started);
}

QString deviceText(const std::string& processor, const std::string& device) {
    return processor.empty()
        ? toQString(device)
        : QStringLiteral("%1 (%2)").arg(toQString(processor), toQString(device));
}

QString askedText(const RunSummary& run) {
    const QString asked = toQString(requestText(run)).simplified();
    return run.title.empty() ? asked : QStringLiteral("%1 · %2").arg(asked, toQString(run.title));
}

QString wayText(const RunSummary& run) {
    QStringList parts;
    for (const std::string& part : {run.attention, run.precision})
        if (!part.empty())
            parts += toQString(part);
    if (run.patches)
        parts += sizeOf(*run.patches);
    if (run.kvCache == nameOf(KvCacheMode::Off))
        parts += HistoryModel::tr("without KV cache");
    return parts.join(QStringLiteral(", "));
}

HistoryModel::HistoryModel(QObject* parent)
    : QAbstractTableModel(parent) { }

void HistoryModel::setRuns(std::vector<RunSummary> runs) {
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const RunSummary& entry = run(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(entry, index.column());
    case kSortRole:
        return sortValueOf(entry, index.column());
    case Qt::ToolTipRole:
        return toolTipOf(entry, index.column());
    case Qt::TextAlignmentRole:
        return isFigure(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Started:
        return tr("Started");
    case Asked:
        return tr("Request");
    case Picture:
        return tr("Image");
    case Path:
        return tr("Attention");
    case Patches:
        return tr("Patches");
    case Cache:
        return tr("KV cache");
    case Device:
        return tr("Device");
    case Peak:
        return tr("Extra peak");
    case Time:
        return tr("Time");
    case Outcome:
        return tr("Outcome");
    default:
        return {};
    }
}

} // namespace maskscope
