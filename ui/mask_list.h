// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/mask_model.h"

#include <QSortFilterProxyModel>
#include <QTableView>

namespace maskscope {

/// The masks as a table: colour, number and label with a check box for visibility, score, area;
/// sorted by a click on a head. Its selection is the model's. A double click or Enter renames.
class MaskList : public QTableView {
    Q_OBJECT
public:
    explicit MaskList(MaskModel& masks, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {280, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showSelected(std::optional<int> row);
    std::optional<int> sourceRow(const QModelIndex& index) const;

    MaskModel& m_masks;
    QSortFilterProxyModel m_sorted;
};

} // namespace maskscope
