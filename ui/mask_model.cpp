// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_model.h"

#include "ui/colours.h"
#include "ui/convert.h"

#include <QLocale>
#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

// At 24 megapixels 20 masks have half a gigabyte of bits.
std::shared_ptr<const Mask> factsOf(const Mask& mask) {
    return std::make_shared<const Mask>(Mask{mask.width, mask.height, {}, mask.label, mask.score,
        mask.area, mask.bbox, mask.imageIndex, mask.index, mask.tokenIndex});
}

} // namespace

MaskModel::MaskModel(QObject* parent)
    : QAbstractTableModel(parent) { }

void MaskModel::clear() {
    m_background.dropWaiting();
    beginResetModel();
    m_rows.clear();
    m_hovered.reset();
    const bool wasSelected = std::exchange(m_selected, std::nullopt).has_value();
    endResetModel();
    if (wasSelected)
        Q_EMIT selectedChanged({});
    Q_EMIT appearanceChanged();
}

QColor MaskModel::freeColour() const {
    const auto isTaken = [this](const QColor& colour) {
        return std::any_of(
            m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.colour == colour; });
    };
    for (int i = 0; i <= rowCount(); ++i)
        if (const QColor colour = colourOfMask(i); !isTaken(colour))
            return colour;
    return colourOfMask(rowCount());
}

void MaskModel::add(
    const std::shared_ptr<const Mask>& mask, MaskSource source, const QString& words) {
    const int row = rowCount();
    const QColor colour = freeColour();
    beginInsertRows({}, row, row);
    m_rows.push_back(
        {mask, colour, Visibility::Shown, nullptr, ++m_lastId, source, words, {}, true});
    endInsertRows();
    makeRuns(row);
}

void MaskModel::restore(std::vector<Row> rows) {
    for (Row& row : rows)
        if (const auto now = rowOfId(row.id))
            row.visibility = this->row(*now).visibility;
    const auto selected = m_selected ? std::optional(row(*m_selected).id) : std::nullopt;
    clear();
    if (rows.empty())
        return;
    beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
    m_rows = std::move(rows);
    endInsertRows();
    for (int i = 0; i < rowCount(); ++i)
        if (!row(i).runs)
            makeRuns(i);
    if (selected)
        select(rowOfId(*selected));
    Q_EMIT appearanceChanged();
}

template <class Predicate>
void MaskModel::removeIf(Predicate isDoomed) {
    const auto selected = m_selected ? std::optional(row(*m_selected).id) : std::nullopt;
    for (int i = rowCount() - 1; i >= 0; --i) {
        if (!isDoomed(row(i)))
            continue;
        m_hovered.reset();
        m_selected.reset();
        beginRemoveRows({}, i, i);
        m_rows.erase(m_rows.begin() + i);
        endRemoveRows();
    }
    const auto still = selected ? rowOfId(*selected) : std::nullopt;
    m_selected = still;
    if (selected)
        Q_EMIT selectedChanged(still);
    if (rowCount() > 0) // numbers are part of what is shown
        Q_EMIT dataChanged(index(0, Label), index(rowCount() - 1, Label), {Qt::DisplayRole});
    Q_EMIT appearanceChanged();
}

void MaskModel::remove(int row) {
    removeIf([id = this->row(row).id](const Row& other) { return other.id == id; });
}

void MaskModel::removeSuperseded(const QString& words) {
    removeIf([&](const Row& row) {
        return row.source == MaskSource::Kept ? false
            : words.isEmpty()                 ? row.source == MaskSource::Prompts
                                              : row.words == words;
    });
}

void MaskModel::rename(int row, const QString& name) {
    Row& changed = m_rows.at(static_cast<std::size_t>(row));
    changed.name = name;
    changed.source = MaskSource::Kept;
    Q_EMIT dataChanged(index(row, Label), index(row, Label), {Qt::DisplayRole, Qt::EditRole});
    Q_EMIT appearanceChanged();
}

void MaskModel::keepPrompted() {
    for (Row& row : m_rows)
        if (row.source == MaskSource::Prompts)
            row.source = row.words.isEmpty() ? MaskSource::Kept : MaskSource::Words;
}

void MaskModel::leaveAnswer() {
    for (Row& row : m_rows)
        row.isOfAnswer = false;
}

bool MaskModel::isSettled() const {
    return std::all_of(
        m_rows.begin(), m_rows.end(), [](const Row& row) { return row.runs != nullptr; });
}

void MaskModel::settle() {
    m_background.dropWaiting();
    for (const Row& row : m_rows)
        if (!row.runs)
            takeRuns(row.id, std::make_shared<const MaskRuns>(runsOf(*row.mask)));
}

void MaskModel::makeRuns(int row) {
    m_background.run(
        [mask = this->row(row).mask] { return std::make_shared<const MaskRuns>(runsOf(*mask)); },
        [this, id = this->row(row).id](
            std::shared_ptr<const MaskRuns> runs) { takeRuns(id, std::move(runs)); });
}

void MaskModel::takeRuns(std::uint64_t id, std::shared_ptr<const MaskRuns> runs) {
    const auto row = rowOfId(id);
    if (!row || this->row(*row).runs)
        return;
    Row& changed = m_rows[static_cast<std::size_t>(*row)];
    changed.mask = factsOf(*changed.mask);
    changed.runs = std::move(runs);
    Q_EMIT appearanceChanged();
    if (isSettled())
        Q_EMIT settled();
}

std::optional<int> MaskModel::rowOfId(std::uint64_t id) const {
    for (int i = 0; i < rowCount(); ++i)
        if (row(i).id == id)
            return i;
    return {};
}

std::optional<int> MaskModel::rowOfToken(int tokenIndex) const {
    for (int i = 0; i < rowCount(); ++i)
        if (row(i).isOfAnswer && row(i).mask->tokenIndex == tokenIndex)
            return i;
    return {};
}

std::optional<int> MaskModel::rowAt(int x, int y) const {
    std::optional<int> smallest;
    for (int i = 0; i < rowCount(); ++i) {
        const Row& candidate = row(i);
        if (candidate.visibility == Visibility::Shown && candidate.runs
            && candidate.runs->contains(x, y)
            && (!smallest || candidate.mask->area < row(*smallest).mask->area))
            smallest = i;
    }
    return smallest;
}

QString MaskModel::labelOf(int index) const {
    if (!row(index).name.isEmpty())
        return row(index).name;
    const std::string& label = row(index).mask->label;
    return label.empty() ? tr("Object %1").arg(index + 1) : toQString(label);
}

void MaskModel::setAllVisible(Visibility visibility) {
    if (m_rows.empty())
        return;
    for (Row& row : m_rows)
        row.visibility = visibility;
    Q_EMIT dataChanged(index(0, Label), index(rowCount() - 1, Label), {Qt::CheckStateRole});
    Q_EMIT appearanceChanged();
}

bool MaskModel::isAnyShown() const {
    return std::any_of(m_rows.begin(), m_rows.end(),
        [](const Row& row) { return row.visibility == Visibility::Shown; });
}

void MaskModel::select(std::optional<int> row) {
    if (std::exchange(m_selected, row) == row)
        return;
    Q_EMIT selectedChanged(row);
    Q_EMIT appearanceChanged();
}

void MaskModel::setHovered(std::optional<int> row) {
    if (std::exchange(m_hovered, row) != row)
        Q_EMIT appearanceChanged();
}

int MaskModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MaskModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant MaskModel::display(const Row& row, int index, int column) const {
    const Mask& mask = *row.mask;
    if (column == Label)
        return QStringLiteral("%1  %2").arg(index + 1).arg(labelOf(index));
    if (column == Score)
        return QLocale().toString(static_cast<double>(mask.score), 'f', 2);
    if (mask.area == 0)
        return tr("empty");
    return tr("%1 px").arg(QLocale().toString(static_cast<qlonglong>(mask.area)));
}

QVariant MaskModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = this->row(index.row());
    const Mask& mask = *row.mask;
    switch (role) {
    case Qt::DisplayRole:
        return display(row, index.row(), index.column());
    case Qt::EditRole:
        return index.column() == Label ? QVariant(labelOf(index.row())) : QVariant();
    case Qt::DecorationRole:
        return index.column() == Label ? QVariant(row.colour) : QVariant();
    case Qt::CheckStateRole:
        if (index.column() != Label)
            return {};
        return row.visibility == Visibility::Shown ? Qt::Checked : Qt::Unchecked;
    case Qt::TextAlignmentRole:
        return static_cast<int>(
            (index.column() == Label ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        if (mask.area == 0)
            return tr("The answer names this mask, but no pixel is above the threshold.");
        const double share = 100.0 * static_cast<double>(mask.area)
            / (static_cast<double>(mask.width) * mask.height);
        return tr("%1 % of the image, box %2, %3, %4 × %5")
            .arg(QLocale().toString(share, 'f', 1))
            .arg(mask.bbox[0])
            .arg(mask.bbox[1])
            .arg(mask.bbox[2])
            .arg(mask.bbox[3]);
    }
    case kSortRole:
        if (index.column() == Label)
            return index.row();
        return index.column() == Score ? QVariant(mask.score)
                                       : QVariant(static_cast<qlonglong>(mask.area));
    default:
        return {};
    }
}

bool MaskModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    if (role == Qt::EditRole && index.column() == Label) {
        const QString name = value.toString().simplified();
        if (!name.isEmpty() && name != labelOf(index.row()))
            Q_EMIT renameRequested(index.row(), name);
        return true;
    }
    if (role != Qt::CheckStateRole)
        return false;
    m_rows[static_cast<std::size_t>(index.row())].visibility
        = value.toInt() == Qt::Checked ? Visibility::Shown : Visibility::Hidden;
    Q_EMIT dataChanged(index, index, {Qt::CheckStateRole});
    Q_EMIT appearanceChanged();
    return true;
}

Qt::ItemFlags MaskModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Label)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    return flags;
}

QVariant MaskModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return section == Label ? tr("Object") : section == Score ? tr("Score") : tr("Area");
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (section == Label ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Score)
        return tr("The model's own estimate of how well the mask fits, from 0 to 1");
    return {};
}

} // namespace maskscope
