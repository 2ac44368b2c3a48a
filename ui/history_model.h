// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_summary.h"

#include <QAbstractTableModel>
#include <vector>

namespace maskscope {

/// “30 Nov 2026 10:45” in the person's own time and manner, of RunSummary::started.
QString localTimeText(const std::string& started);
/// "NVIDIA H200 (cuda:0)", or the device alone.
QString deviceText(const std::string& processor, const std::string& device);

/// “red mug”, 2 points · what the person calls it
QString askedText(const RunSummary& run);
/// "mha, fp32, 192 patches (0.05 MP), without KV cache": how it was run, as far as it is known.
QString wayText(const RunSummary& run);

/// Past runs as a table, in the order in which they were given. Text is data: it is shown as it is.
class HistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Started,
        Asked,
        Picture,
        Path,
        Patches,
        Cache,
        Device,
        Peak,
        Time,
        Outcome,
        kColumns
    };
    static constexpr int kSortRole = Qt::UserRole;

    explicit HistoryModel(QObject* parent = nullptr);

    void setRuns(std::vector<RunSummary> runs);
    const RunSummary& run(int row) const { return m_runs.at(static_cast<std::size_t>(row)); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RunSummary> m_runs;
};

} // namespace maskscope
