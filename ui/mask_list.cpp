// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_list.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace maskscope {

MaskList::MaskList(MaskModel& masks, QWidget* parent)
    : QTableView(parent)
    , m_masks(masks) {
    setObjectName(QStringLiteral("maskList"));
    setAccessibleName(tr("Objects"));
    m_sorted.setSourceModel(&masks);
    m_sorted.setSortRole(MaskModel::kSortRole);
    setModel(&m_sorted);
    setSortingEnabled(true);
    sortByColumn(MaskModel::Label, Qt::AscendingOrder);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    setEditTriggers(DoubleClicked);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setFrameShape(NoFrame);
    setMouseTracking(true);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(MaskModel::Label, QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(MaskModel::Score, QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(MaskModel::Area, QHeaderView::ResizeToContents);

    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) { m_masks.select(sourceRow(current)); });
    connect(&m_masks, &MaskModel::selectedChanged, this, &MaskList::showSelected);
}

std::optional<int> MaskList::sourceRow(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    return m_sorted.mapToSource(index).row();
}

void MaskList::showSelected(std::optional<int> row) {
    if (!row) {
        selectionModel()->clear();
        return;
    }
    const QModelIndex index = m_sorted.mapFromSource(m_masks.index(*row, MaskModel::Label));
    if (currentIndex().row() != index.row() || !selectionModel()->isRowSelected(index.row()))
        selectionModel()->setCurrentIndex(
            index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

void MaskList::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_masks.rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(12, 8, -12, -8),
        Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap,
        tr("Masks are listed here as they appear on the image."));
}

void MaskList::mouseMoveEvent(QMouseEvent* event) {
    m_masks.setHovered(sourceRow(indexAt(event->position().toPoint())));
    QTableView::mouseMoveEvent(event);
}

void MaskList::leaveEvent(QEvent* event) {
    m_masks.setHovered({});
    QTableView::leaveEvent(event);
}

void MaskList::keyPressEvent(QKeyEvent* event) {
    // The check box sits in the first column, wherever in the row the keyboard is.
    if (event->key() == Qt::Key_Space && currentIndex().isValid()) {
        const QModelIndex box = currentIndex().siblingAtColumn(MaskModel::Label);
        const bool shown = box.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        m_sorted.setData(box, shown ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
        return;
    }
    const bool renames = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (renames && currentIndex().isValid() && state() != EditingState) {
        edit(currentIndex().siblingAtColumn(MaskModel::Label));
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace maskscope
