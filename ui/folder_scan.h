// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/job.h"

#include <QDir>
#include <QStringList>

namespace maskscope {

/// Finds the images in folders and all that is below them, on a thread of its own. What counts is
/// the end of the name; hidden files and folders are left out, and no folder is gone into twice.
class FolderScan : public Job {
    Q_OBJECT
public:
    explicit FolderScan(QObject* parent = nullptr)
        : Job(parent) { }

    /// While Idle.
    void scan(const QStringList& folders);

    /// Of images: "*.jpg", "*.png", …
    static QStringList namePatterns();

Q_SIGNALS:
    /// The images of one folder, in the order of people: “image 2” before “image 10”. Those of a
    /// folder come before those of the folders in it.
    void found(const QStringList& files);
    /// A folder that may not be read or is not there.
    void refused(const QString& folder);

private:
    /// Tells its images. The folders in it.
    QStringList scanFolder(const QDir& folder);
};

} // namespace maskscope
