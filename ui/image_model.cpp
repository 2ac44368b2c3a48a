// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_model.h"

#include "ui/convert.h"
#include "ui/icons.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <iterator>
#include <utility>

namespace maskscope {

namespace {

QString stateText(const ImageModel::Entry& entry) {
    switch (entry.state) {
    case ImageState::Untouched:
        return {};
    case ImageState::Running:
        return ImageModel::tr("running…");
    case ImageState::Masks: {
        const auto count = static_cast<int>(entry.work.masks.size());
        return count == 1 ? ImageModel::tr("1 mask, not saved")
                          : ImageModel::tr("%1 masks, not saved").arg(count);
    }
    case ImageState::Exported: {
        const auto count = static_cast<int>(entry.work.masks.size());
        return count == 1 ? ImageModel::tr("1 mask, exported")
                          : ImageModel::tr("%1 masks, exported").arg(count);
    }
    case ImageState::Failed:
        return ImageModel::tr("the run failed");
    case ImageState::Unreadable:
        break;
    }
    return ImageModel::tr("cannot be read");
}

QString toolTipOf(const ImageModel::Entry& entry) {
    QStringList lines{entry.path.isEmpty() ? entry.name : QDir::toNativeSeparators(entry.path)};
    if (!entry.reason.isEmpty())
        lines += entry.reason;
    else if (const QString state = stateText(entry); !state.isEmpty())
        lines += state;
    return toolTipText(lines.join(u'\n')).replace(u'\n', QStringLiteral("<br>"));
}

} // namespace

ImageModel::ImageModel(ImageReader reader, QObject* parent)
    : QAbstractListModel(parent)
    , m_thumbnails(new Thumbnails(std::move(reader), this)) {
    connect(m_thumbnails, &Thumbnails::made, this, [this](const QString& path) {
        if (const auto row = rowOf(path))
            Q_EMIT dataChanged(index(*row), index(*row), {Qt::DecorationRole});
    });
    connect(
        m_thumbnails, &Thumbnails::failed, this, [this](const QString& path, const Error& error) {
            if (const auto row = rowOf(path))
                setState(*row, ImageState::Unreadable, toQString(error.sentence));
        });
}

std::optional<int> ImageModel::rowOf(const QString& path) const {
    const auto found = m_rows.constFind(path);
    return found != m_rows.constEnd() ? std::optional(*found) : std::nullopt;
}

std::optional<int> ImageModel::rowOf(const Picture& picture) const {
    if (!picture.path.isEmpty())
        return rowOf(picture.path);
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
        [&](const Entry& entry) { return entry.pasted.get() == &picture; });
    return found != m_entries.end() ? std::optional(int(found - m_entries.begin())) : std::nullopt;
}

void ImageModel::append(std::vector<Entry> entries) {
    if (entries.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(entries.size()) - 1);
    std::move(entries.begin(), entries.end(), std::back_inserter(m_entries));
    for (int row = first; row < rowCount(); ++row) {
        Entry& entry = m_entries.at(static_cast<std::size_t>(row));
        entry.steps = std::make_shared<QUndoStack>();
        entry.steps->setUndoLimit(kSteps);
    }
    numberFrom(first);
    endInsertRows();
}

void ImageModel::numberFrom(int row) {
    for (int i = row; i < rowCount(); ++i)
        if (const QString& path = entry(i).path; !path.isEmpty())
            m_rows.insert(path, i);
}

void ImageModel::add(const QStringList& paths) {
    std::vector<Entry> entries;
    QSet<QString> taken;
    for (const QString& path : paths)
        if (!m_rows.contains(path) && !taken.contains(path)) {
            taken.insert(path);
            Entry entry;
            entry.path = path;
            entry.name = QFileInfo(path).fileName();
            entries.push_back(std::move(entry));
        }
    append(std::move(entries));
}

int ImageModel::add(const std::shared_ptr<const Picture>& picture) {
    if (!rowOf(*picture)) {
        Entry entry;
        entry.path = picture->path;
        entry.name = picture->name;
        if (entry.path.isEmpty())
            entry.pasted = picture;
        std::vector<Entry> entries;
        entries.push_back(std::move(entry));
        append(std::move(entries));
    }
    if (!picture->path.isEmpty())
        m_thumbnails->add(*picture);
    return *rowOf(*picture);
}

void ImageModel::remove(int row) {
    beginRemoveRows({}, row, row);
    // Its steps tell of their end, when the list has to be whole.
    const Entry removed = std::move(m_entries.at(static_cast<std::size_t>(row)));
    m_rows.remove(removed.path);
    m_entries.erase(m_entries.begin() + row);
    numberFrom(row);
    endRemoveRows();
}

void ImageModel::clear() {
    beginResetModel();
    const std::vector<Entry> removed = std::exchange(m_entries, {}); // as in remove()
    m_rows.clear();
    endResetModel();
}

void ImageModel::setState(int row, ImageState state, const QString& reason) {
    Entry& changed = m_entries.at(static_cast<std::size_t>(row));
    changed.state = state;
    changed.reason = reason;
    Q_EMIT dataChanged(index(row), index(row));
}

void ImageModel::setWork(int row, ImageWork work) {
    Entry& changed = m_entries.at(static_cast<std::size_t>(row));
    changed.isExported = changed.isExported && isSameWork(changed.work, work);
    changed.work = std::move(work);
    if (changed.state != ImageState::Failed)
        setState(row,
            changed.work.masks.empty() ? ImageState::Untouched
                : changed.isExported   ? ImageState::Exported
                                       : ImageState::Masks);
}

void ImageModel::setExported(int row) {
    m_entries.at(static_cast<std::size_t>(row)).isExported = true;
    setState(row, ImageState::Exported);
}

bool ImageModel::holdsUnsaved(int row) const {
    return !entry(row).work.masks.empty() && !entry(row).isExported;
}

int ImageModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant ImageModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry& shown = entry(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return shown.name;
    case kStateTextRole:
        return stateText(shown);
    case Qt::ToolTipRole:
        return toolTipOf(shown);
    case Qt::AccessibleTextRole: {
        const QString state = stateText(shown);
        return state.isEmpty() ? shown.name : QStringLiteral("%1, %2").arg(shown.name, state);
    }
    case Qt::DecorationRole:
        if (shown.state == ImageState::Unreadable)
            return icon(QStringLiteral("warning"), QPalette::Text);
        return shown.pasted ? thumbnailOf(shown.pasted->levels.back())
                            : m_thumbnails->find(shown.path);
    default:
        return {};
    }
}

} // namespace maskscope
