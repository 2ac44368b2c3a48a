// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/mask/mask_runs.h"
#include "ui/background.h"

#include <QAbstractTableModel>
#include <QColor>
#include <memory>
#include <optional>
#include <vector>

namespace maskscope {

enum class Visibility { Hidden, Shown };

/// The masks of the newest run, in the order in which they appeared, with what the window adds to
/// them: colour, visibility, what is painted, and which one is selected or pointed at. List, canvas
/// and answer show the same model.
class MaskModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Label, Score, Area, kColumns };
    /// What a view sorts by.
    static constexpr int kSortRole = Qt::UserRole;

    struct Row {
        std::shared_ptr<const Mask> mask; ///< without bits once there are runs
        QColor colour;
        Visibility visibility = Visibility::Shown;
        std::shared_ptr<const MaskRuns> runs; ///< of its pixels; null until they are made
    };

    explicit MaskModel(QObject* parent = nullptr);

    void clear();
    void add(const std::shared_ptr<const Mask>& mask);
    /// In place of those that there are: rows as they once were.
    void restore(std::vector<Row> rows);

    const std::vector<Row>& rows() const { return m_rows; }
    const Row& row(int index) const { return m_rows.at(static_cast<std::size_t>(index)); }
    /// The mask of the answer's token, if it has arrived.
    std::optional<int> rowOfToken(int tokenIndex) const;
    /// The smallest painted mask that covers an image pixel.
    std::optional<int> rowAt(int x, int y) const;
    /// "red mug", or "Object 2" for a mask without words.
    QString labelOf(int row) const;

    void setAllVisible(Visibility visibility);
    bool isAnyShown() const;

    std::optional<int> selected() const { return m_selected; }
    void select(std::optional<int> row);
    void setHovered(std::optional<int> row);
    /// The one to stand out: what the pointer is on, else what is selected.
    std::optional<int> emphasised() const { return m_hovered ? m_hovered : m_selected; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    /// Something that is painted has changed.
    void appearanceChanged();
    void selectedChanged(std::optional<int> row);

private:
    QVariant display(const Row& row, int index, int column) const;
    void makeRuns(int row);

    std::vector<Row> m_rows;
    std::optional<int> m_selected;
    std::optional<int> m_hovered;
    std::uint64_t m_generation = 0; // of the rows: runs of cleared ones are dropped
    Background m_background;
};

} // namespace maskscope
