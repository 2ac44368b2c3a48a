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

/// What a mask was asked for by, and so which run finds it anew.
enum class MaskSource {
    Words, ///< those of MaskModel::Row::words
    Prompts, ///< clicks and boxes that are still on the image
    Kept, ///< no run puts another one in its place
};

/// The objects of an image in the order in which they appeared, with what the window adds to their
/// masks: colour, name, visibility, what is painted, and which one is selected or pointed at. List,
/// canvas and answer show the same model.
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
        std::shared_ptr<const MaskRuns> runs = {}; ///< of its pixels; null until they are made
        std::uint64_t id = 0; ///< the same for as long as the object exists
        MaskSource source = MaskSource::Kept;
        QString words = {}; ///< that it was asked for by
        QString name = {}; ///< given by a person; empty when none was
        bool isOfAnswer = false; ///< the answer that is shown refers to it by its token
    };

    explicit MaskModel(QObject* parent = nullptr);

    void clear();
    /// Of the answer that is shown.
    void add(const std::shared_ptr<const Mask>& mask, MaskSource source = MaskSource::Kept,
        const QString& words = {});
    /// In place of those that there are: rows as they once were. Objects that are there before and
    /// after stay as visible as they are.
    void restore(std::vector<Row> rows);
    void remove(int row);
    /// Takes out what a run with these words, or without any one by clicks and boxes, finds anew.
    void removeSuperseded(const QString& words);
    /// Its name is what a person calls it: from now on no run replaces it.
    void rename(int row, const QString& name);
    /// Clicks and boxes are no longer on the image: what they have made stays.
    void keepPrompted();
    /// Another answer comes: its tokens are not those of the masks that there are.
    void leaveAnswer();

    /// All masks have their runs.
    bool isSettled() const;
    /// Makes at once what the background has not made yet.
    void settle();

    const std::vector<Row>& rows() const { return m_rows; }
    const Row& row(int index) const { return m_rows.at(static_cast<std::size_t>(index)); }
    std::optional<int> rowOfId(std::uint64_t id) const;
    /// The mask of the answer's token, if it has arrived.
    std::optional<int> rowOfToken(int tokenIndex) const;
    /// The smallest painted mask that covers an image pixel.
    std::optional<int> rowAt(int x, int y) const;
    /// Its name, else "red mug", or "Object 2" for a mask without words.
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
    /// A person has typed a name in a view.
    void renameRequested(int row, const QString& name);
    void settled();

private:
    QVariant display(const Row& row, int index, int column) const;
    void makeRuns(int row);
    void takeRuns(std::uint64_t id, std::shared_ptr<const MaskRuns> runs);
    template <class Predicate>
    void removeIf(Predicate isDoomed);
    QColor freeColour() const;

    std::vector<Row> m_rows;
    std::optional<int> m_selected;
    std::optional<int> m_hovered;
    std::uint64_t m_lastId = 0;
    Background m_background;
};

} // namespace maskscope
