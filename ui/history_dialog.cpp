// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history_dialog.h"

#include "core/history/run_file.h"
#include "ui/convert.h"
#include "ui/screen_size.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace maskscope {

namespace {

/// Columns and how many letters wide they begin; the request takes what is left.
constexpr std::array<std::pair<int, int>, 9> kWidths{
    {{HistoryModel::Started, 25}, {HistoryModel::Picture, 15}, {HistoryModel::Path, 13},
        {HistoryModel::Patches, 10}, {HistoryModel::Cache, 11}, {HistoryModel::Device, 19},
        {HistoryModel::Peak, 13}, {HistoryModel::Time, 10}, {HistoryModel::Outcome, 12}}};

QString fileFilter() {
    return HistoryDialog::tr("Runs (%1)").arg(u'*' + QString::fromLatin1(kRunFileSuffix));
}

} // namespace

HistoryDialog::HistoryDialog(RunHistory& history, QWidget* parent)
    : QDialog(parent)
    , m_history(history)
    , m_find(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_message(new QLabel(this))
    , m_replay(new QPushButton(tr("&Replay"), this))
    , m_compare(new QPushButton(tr("&Compare"), this))
    , m_export(new QPushButton(tr("&Export…"), this))
    , m_delete(new QPushButton(tr("&Delete"), this)) {
    setObjectName(QStringLiteral("historyDialog"));
    setWindowTitle(tr("History of runs"));
    m_find->setObjectName(QStringLiteral("historyFind"));
    m_find->setPlaceholderText(tr("Find in the history"));
    m_find->setAccessibleName(tr("Find in the history"));
    m_find->setClearButtonEnabled(true);
    m_message->setObjectName(QStringLiteral("historyMessage"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_find);
    layout->addWidget(makeTable(), 1);
    layout->addWidget(m_message);
    layout->addWidget(makeButtons());
    resize(onScreen(*this, {1120, 460}));
    connectHistory();
    updateButtons();
}

QWidget* HistoryDialog::makeTable() {
    m_shown.setSourceModel(&m_model);
    m_shown.setSortRole(HistoryModel::kSortRole);
    m_shown.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_shown.setFilterKeyColumn(-1);
    m_table->setObjectName(QStringLiteral("historyTable"));
    m_table->setAccessibleName(tr("Past runs"));
    m_table->setModel(&m_shown);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(HistoryModel::Started, Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(HistoryModel::Asked, QHeaderView::Stretch);
    header->setMinimumSectionSize(60);
    const int letter = fontMetrics().averageCharWidth();
    for (const auto& [column, letters] : kWidths)
        m_table->setColumnWidth(column, letters * letter);

    connect(
        m_find, &QLineEdit::textChanged, &m_shown, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_table, &QTableView::doubleClicked, this, &HistoryDialog::replay);
    auto* remove = new QShortcut(QKeySequence::Delete, m_table);
    remove->setContext(Qt::WidgetShortcut); // elsewhere it deletes letters
    connect(remove, &QShortcut::activated, m_delete, &QPushButton::click);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &HistoryDialog::updateButtons);
    return m_table;
}

QWidget* HistoryDialog::makeButtons() {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_replay->setObjectName(QStringLiteral("historyReplay"));
    m_replay->setToolTip(tr("Play the run again in the window, at its own pace"));
    m_compare->setObjectName(QStringLiteral("historyCompare"));
    m_compare->setToolTip(tr("Compare two runs: memory, times, answers and masks"));
    m_delete->setObjectName(QStringLiteral("historyDelete"));
    auto* import = new QPushButton(tr("&Import…"), this);
    import->setToolTip(tr("Take a run from a file that was exported, here or on another machine"));
    for (QPushButton* button : {m_replay, m_compare, m_export, import, m_delete}) {
        buttons->addButton(button, QDialogButtonBox::ActionRole);
        button->setAutoDefault(false);
    }
    m_replay->setDefault(true);
    connect(m_replay, &QPushButton::clicked, this, &HistoryDialog::replay);
    connect(m_export, &QPushButton::clicked, this, &HistoryDialog::chooseExport);
    connect(import, &QPushButton::clicked, this, &HistoryDialog::chooseImport);
    connect(m_compare, &QPushButton::clicked, this, &HistoryDialog::compare);
    connect(m_delete, &QPushButton::clicked, this, &HistoryDialog::confirmDelete);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

void HistoryDialog::connectHistory() {
    connect(&m_history, &RunHistory::listed, this, &HistoryDialog::fill);
    connect(&m_history, &RunHistory::loaded, this, &HistoryDialog::take);
    connect(&m_history, &RunHistory::exported, this, [this](const QString& file) {
        m_message->setText(tr("The run was written to %1.").arg(file));
    });
    connect(&m_history, &RunHistory::failed, this, [this](const Error& error) {
        m_wanted = 0;
        m_message->setText(toQString(error.sentence));
    });
}

void HistoryDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_message->clear();
    m_history.refresh();
}

void HistoryDialog::fill(std::vector<RunSummary> runs) {
    if (runs.empty())
        m_message->setText(tr("No run is in the history yet: every run of the window is kept here, "
                              "unless Run › Keep runs in the history is off."));
    else
        m_message->clear();
    m_model.setRuns(std::move(runs));
    if (m_shown.rowCount() > 0)
        m_table->selectRow(0);
    updateButtons();
}

std::vector<int> HistoryDialog::selectedRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(m_shown.mapToSource(index).row());
    return rows;
}

void HistoryDialog::updateButtons() {
    const std::size_t count = selectedRows().size();
    m_replay->setEnabled(count == 1);
    m_compare->setEnabled(count == 2);
    m_export->setEnabled(count == 1);
    m_delete->setEnabled(count > 0);
}

void HistoryDialog::replay() {
    if (selectedRows().size() != 1)
        return;
    m_wanted = 1;
    m_loaded.clear();
    m_history.load(selectedRun());
}

void HistoryDialog::compare() {
    std::vector<const RunSummary*> runs;
    for (const int row : selectedRows())
        runs.push_back(&m_model.run(row));
    if (runs.size() != 2)
        return;
    std::ranges::sort(
        runs, {}, [](const RunSummary* run) { return std::tie(run->started, run->id); });
    m_wanted = 2;
    m_loaded.clear();
    for (const RunSummary* run : runs)
        m_history.load(run->id);
}

void HistoryDialog::take(const std::shared_ptr<const RunRecord>& record) {
    if (m_wanted == 0)
        return;
    m_loaded.push_back(record);
    if (m_loaded.size() < m_wanted)
        return;
    m_wanted = 0;
    const auto loaded = std::exchange(m_loaded, {});
    accept();
    if (loaded.size() == 1)
        Q_EMIT replayRequested(loaded.front());
    else
        Q_EMIT comparisonRequested(loaded.front(), loaded.back());
}

void HistoryDialog::exportTo(const QString& file) {
    m_history.exportRun(selectedRun(), file);
}

void HistoryDialog::chooseExport() {
    auto* dialog = new QFileDialog(this, tr("Export the run"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QString::fromLatin1(kRunFileSuffix + 1));
    dialog->setNameFilters({fileFilter()});
    dialog->selectFile(
        QStringLiteral("run-%1%2").arg(selectedRun()).arg(QString::fromLatin1(kRunFileSuffix)));
    connect(dialog, &QFileDialog::fileSelected, this, &HistoryDialog::exportTo);
    dialog->open();
}

void HistoryDialog::chooseImport() {
    auto* dialog = new QFileDialog(this, tr("Import a run"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({fileFilter(), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, &m_history, &RunHistory::importRun);
    dialog->open();
}

void HistoryDialog::confirmDelete() {
    std::vector<std::int64_t> ids;
    for (const int row : selectedRows())
        ids.push_back(m_model.run(row).id);
    auto* box = new QMessageBox(QMessageBox::Question, tr("Delete runs"),
        ids.size() == 1 ? tr("Delete this run for good?")
                        : tr("Delete these %1 runs for good?").arg(ids.size()),
        QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("historyConfirm"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* yes = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    connect(yes, &QPushButton::clicked, &m_history,
        [this, ids = std::move(ids)] { m_history.remove(ids); });
    box->open();
}

} // namespace maskscope
