// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history_model.h"
#include "ui/run_history.h"

#include <QDialog>
#include <QSortFilterProxyModel>
#include <memory>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace maskscope {

/// The past runs: finds, replays, compares, exports, imports and deletes them.
class HistoryDialog : public QDialog {
    Q_OBJECT
public:
    /// The history outlives it.
    explicit HistoryDialog(RunHistory& history, QWidget* parent = nullptr);

    void exportTo(const QString& file); ///< the selected run

Q_SIGNALS:
    void replayRequested(const std::shared_ptr<const maskscope::RunRecord>& record);
    /// The earlier one first.
    void comparisonRequested(const std::shared_ptr<const maskscope::RunRecord>& first,
        const std::shared_ptr<const maskscope::RunRecord>& second);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTable();
    QWidget* makeButtons();
    void connectHistory();
    std::vector<int> selectedRows() const; ///< of the model
    std::int64_t selectedRun() const { return m_model.run(selectedRows().front()).id; }
    void fill(std::vector<RunSummary> runs);
    void updateButtons();
    void chooseExport();
    void chooseImport();
    void confirmDelete();
    void replay();
    void compare();
    void take(const std::shared_ptr<const RunRecord>& record);

    RunHistory& m_history;
    HistoryModel m_model;
    QSortFilterProxyModel m_shown;
    QLineEdit* m_find;
    QTableView* m_table;
    QLabel* m_message;
    QPushButton* m_replay;
    QPushButton* m_compare;
    QPushButton* m_export;
    QPushButton* m_delete;
    std::size_t m_wanted = 0; // runs: 1 to replay, 2 to compare
    std::vector<std::shared_ptr<const RunRecord>> m_loaded; // of those
};

} // namespace maskscope
