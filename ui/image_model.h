// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/image_work.h"
#include "ui/picture.h"
#include "ui/thumbnails.h"

#include <QAbstractListModel>
#include <QHash>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <vector>

namespace maskscope {

enum class ImageState {
    Untouched,
    Running,
    Masks, ///< it has some, which are in no file
    Exported, ///< all that it has
    Failed, ///< its last run
    Unreadable, ///< the file
};

/// The images that are open in the window, with a small picture, their state and what has been done
/// on each.
class ImageModel : public QAbstractListModel {
    Q_OBJECT
public:
    /// The state in words, for a line of its own.
    static constexpr int kStateTextRole = Qt::UserRole;
    /// Of each image can be undone.
    static constexpr int kSteps = 300;

    struct Entry {
        QString path; ///< empty for what was pasted
        QString name;
        std::shared_ptr<const Picture> pasted; ///< its pixels, which are in no file
        ImageState state = ImageState::Untouched;
        QString reason; ///< of Failed and Unreadable
        ImageWork work;
        bool isExported = false; ///< the masks of the work are in files
        std::shared_ptr<QUndoStack> steps; ///< of the work
    };

    explicit ImageModel(ImageReader reader, QObject* parent = nullptr);

    const Entry& entry(int row) const { return m_entries.at(static_cast<std::size_t>(row)); }
    std::optional<int> rowOf(const QString& path) const;
    /// Of a picture that was opened: by its path or, if it was pasted, itself.
    std::optional<int> rowOf(const Picture& picture) const;
    /// Appends the files that are not there yet.
    void add(const QStringList& paths);
    /// Appends what is not there yet. Its row.
    int add(const std::shared_ptr<const Picture>& picture);
    void remove(int row);
    void clear();

    void setState(int row, ImageState state, const QString& reason = {});
    /// Its masks, as they are, are in files.
    void setExported(int row);
    /// There are masks that are in no file.
    bool holdsUnsaved(int row) const;
    /// And the state that follows from it.
    void setWork(int row, ImageWork work);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void append(std::vector<Entry> entries);
    void numberFrom(int row);

    std::vector<Entry> m_entries;
    QHash<QString, int> m_rows; // by path
    Thumbnails* m_thumbnails;
};

} // namespace maskscope
