// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder_scan.h"

#include "core/base/cancelled.h"
#include "core/image/image_format.h"
#include "ui/convert.h"

#include <QCollator>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QSet>
#include <algorithm>
#include <iterator>

namespace maskscope {

namespace {

/// Absolute paths in the order of people.
QStringList inOrder(QFileInfoList entries) {
    // The locale of the language C has no numbers within names.
    QCollator order(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale());
    order.setNumericMode(true);
    order.setCaseSensitivity(Qt::CaseInsensitive);
    std::sort(entries.begin(), entries.end(), [&](const QFileInfo& a, const QFileInfo& b) {
        const int compared = order.compare(a.fileName(), b.fileName());
        return compared != 0 ? compared < 0 : a.fileName() < b.fileName();
    });
    QStringList paths;
    for (const QFileInfo& entry : entries)
        paths += entry.absoluteFilePath();
    return paths;
}

} // namespace

QStringList FolderScan::namePatterns() {
    QStringList patterns;
    for (const std::string_view extension : kImageExtensions)
        patterns += QStringLiteral("*.") + toQString(extension);
    return patterns;
}

void FolderScan::scan(const QStringList& folders) {
    begin([this, folders](const std::stop_token& stop) {
        QStringList ahead(folders.rbegin(), folders.rend()); // the next one is the last
        QSet<QString> seen; // a link may lead back
        while (!ahead.isEmpty()) {
            throwIfStopped(stop);
            const QDir folder(ahead.takeLast());
            if (const QString path = folder.canonicalPath(); seen.contains(path))
                continue;
            else
                seen.insert(path);
            const QStringList inside = scanFolder(folder);
            std::copy(inside.rbegin(), inside.rend(), std::back_inserter(ahead));
        }
    });
}

QStringList FolderScan::scanFolder(const QDir& folder) {
    if (!folder.isReadable()) {
        post([this, path = folder.path()] { Q_EMIT refused(path); });
        return {};
    }
    const QStringList files = inOrder(folder.entryInfoList(namePatterns(), QDir::Files));
    if (!files.isEmpty())
        post([this, files] { Q_EMIT found(files); });
    return inOrder(folder.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot));
}

} // namespace maskscope
