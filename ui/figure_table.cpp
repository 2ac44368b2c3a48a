// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure_table.h"

#include "ui/convert.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPixmap>

namespace maskscope {

namespace {

constexpr int kMark = 10; ///< pixels of a row's mark

QPixmap markOf(const QColor& colour) {
    QPixmap mark(kMark, kMark);
    mark.fill(colour);
    return mark;
}

} // namespace

FigureTable::FigureTable(const QString& name, QWidget* parent)
    : QTableWidget(parent) {
    setAccessibleName(name);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(NoFrame);
    setIconSize({kMark, kMark});
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    verticalHeader()->setMinimumSectionSize(0);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void FigureTable::setSheet(const FigureSheet& sheet) {
    m_columns = sheet.columns;
    // Text may be long; figures stay together.
    horizontalHeader()->setStretchLastSection(
        !m_columns.empty() && m_columns.back().align == FigureSheet::Align::Left);
    const auto columns = static_cast<int>(sheet.columns.size());
    setColumnCount(columns);
    setRowCount(static_cast<int>(sheet.rows.size()));
    for (int column = 0; column < columns; ++column) {
        const FigureSheet::Column& heading = sheet.columns[static_cast<std::size_t>(column)];
        auto* item = new QTableWidgetItem(heading.title);
        item->setTextAlignment(alignmentOf(column));
        if (!heading.tip.isEmpty())
            item->setToolTip(toolTipText(heading.tip));
        setHorizontalHeaderItem(column, item);
    }
    for (int row = 0; row < rowCount(); ++row) {
        const FigureSheet::Row& entry = sheet.rows[static_cast<std::size_t>(row)];
        for (int column = 0; column < columns; ++column)
            setCell(row, column, entry.cells.value(column));
        item(row, 0)->setIcon(entry.colour.isValid() ? QIcon(markOf(entry.colour)) : QIcon());
    }
}

Qt::Alignment FigureTable::alignmentOf(int column) const {
    const bool left = column == 0
        || m_columns[static_cast<std::size_t>(column)].align == FigureSheet::Align::Left;
    return (left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

void FigureTable::setCell(int row, int column, const QString& text) {
    if (QTableWidgetItem* old = item(row, column)) {
        old->setText(text);
        return;
    }
    auto* cell = new QTableWidgetItem(text);
    cell->setTextAlignment(alignmentOf(column));
    setItem(row, column, cell);
}

QString FigureTable::copyText() const {
    const bool all = selectionModel()->selectedRows().isEmpty();
    QStringList lines;
    QStringList cells;
    for (int column = 0; column < columnCount(); ++column)
        cells += horizontalHeaderItem(column)->text();
    lines += cells.join(u'\t');
    for (int row = 0; row < rowCount(); ++row) {
        if (!all && !selectionModel()->isRowSelected(row))
            continue;
        cells.clear();
        for (int column = 0; column < columnCount(); ++column)
            cells += item(row, column)->text();
        lines += cells.join(u'\t');
    }
    return lines.join(u'\n').replace(QChar(QChar::Nbsp), u' ') + u'\n';
}

QSize FigureTable::sizeHint() const {
    return {320, horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2};
}

void FigureTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(copyText());
    else
        QTableWidget::keyPressEvent(event);
}

} // namespace maskscope
