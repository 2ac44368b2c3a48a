// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure_table.h"

#include "ui/convert.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPixmap>
#include <algorithm>
#include <numeric>

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
    setHorizontalScrollMode(ScrollPerPixel);
}

void FigureTable::setSheet(const FigureSheet& sheet) {
    m_columns = sheet.columns;
    m_widths.clear();
    clearSpans();
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
        showKind(row, entry.kind);
    }
    for (int column = 0; column < columns; ++column)
        m_widths.push_back(widthOf(column, sheet));
    spread();
}

void FigureTable::showKind(int row, FigureSheet::Kind kind) {
    using Kind = FigureSheet::Kind;
    QFont shown = font();
    shown.setBold(kind == Kind::Heading || kind == Kind::Outstanding);
    shown.setItalic(kind == Kind::Aside);
    for (int column = 0; column < columnCount(); ++column)
        item(row, column)->setFont(shown);
    const bool heading = kind == Kind::Heading;
    item(row, 0)->setToolTip(heading ? toolTipText(item(row, 0)->text()) : QString());
    if (heading && columnCount() > 1)
        setSpan(row, 0, 1, columnCount());
}

int FigureTable::widthOf(int column, const FigureSheet& sheet) const {
    int width = horizontalHeader()->sectionSizeHint(column);
    for (int row = 0; row < rowCount(); ++row)
        if (sheet.rows[static_cast<std::size_t>(row)].kind != FigureSheet::Kind::Heading)
            width = std::max(width, sizeHintForIndex(model()->index(row, column)).width() + 1);
    return width;
}

void FigureTable::spread() {
    const auto columns = static_cast<int>(m_widths.size());
    int left
        = std::max(0, viewport()->width() - std::accumulate(m_widths.begin(), m_widths.end(), 0));
    // Text at the end may be long; figures stay together then.
    const bool textLast = columns > 1 && m_columns.back().align == FigureSheet::Align::Left;
    for (int column = 0; column < columns; ++column) {
        const int share = textLast && column + 1 < columns ? 0 : left / (columns - column);
        left -= share;
        setColumnWidth(column, m_widths[static_cast<std::size_t>(column)] + share);
    }
}

void FigureTable::resizeEvent(QResizeEvent* event) {
    QTableWidget::resizeEvent(event);
    spread();
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
