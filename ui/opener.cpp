// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opener.h"

#include "ui/convert.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <utility>

namespace maskscope {

namespace {

QString shownPath(const QString& path) {
    return QDir::toNativeSeparators(path);
}

} // namespace

Opener::Opener(Settings& settings, OpenImages& images, QWidget* window)
    : QObject(window)
    , m_settings(settings)
    , m_images(images)
    , m_window(window) {
    connect(&m_images, &OpenImages::shown, this, [this](const auto& picture) {
        if (picture && !m_asked.isEmpty() && picture->path == m_asked)
            remember(std::exchange(m_asked, {}));
    });
    connect(&m_images, &OpenImages::failed, this, [this](const Error& error, const QString& path) {
        m_settings.removeRecentFile(path);
        Q_EMIT recentFilesChanged();
        Q_EMIT failed(error);
    });
    connect(&m_scan, &FolderScan::found, this, &Opener::addFound);
    connect(&m_scan, &FolderScan::refused, this,
        [this](const QString& folder) { m_refused += folder; });
    connect(&m_scan, &FolderScan::ended, this, &Opener::endScan);
}

QString Opener::lastFolder() const {
    const QStringList recent = m_settings.recentFiles();
    return recent.isEmpty() ? QString() : QFileInfo(recent.first()).path();
}

void Opener::chooseFiles() {
    const QString filter = tr("Images (%1)").arg(FolderScan::namePatterns().join(QChar(u' ')));
    auto* dialog = new QFileDialog(m_window, tr("Open images"), lastFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({filter, tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &Opener::openPaths);
    dialog->open();
}

void Opener::chooseFolder() {
    auto* dialog = new QFileDialog(m_window, tr("Open a folder of images"), lastFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::filesSelected, this, &Opener::openPaths);
    dialog->open();
}

void Opener::openPaths(const QStringList& paths) {
    QStringList files;
    QStringList folders;
    for (const QString& path : paths) {
        const QFileInfo info(path);
        (info.isDir() ? folders : files) += info.absoluteFilePath();
    }
    m_asked = files.size() == 1 ? files.first() : QString();
    m_images.open(files);
    if (folders.isEmpty())
        return;
    m_nextFolders += folders;
    m_nextShows = files.isEmpty();
    if (!isScanning())
        scanNext();
}

void Opener::scanNext() {
    m_folders = std::exchange(m_nextFolders, {});
    m_showsFound = m_nextShows;
    m_hasFound = m_stopped = false;
    m_refused.clear();
    m_scan.scan(m_folders);
    Q_EMIT scanBegan();
}

void Opener::stopScan() {
    m_nextFolders.clear();
    m_stopped = true;
    m_scan.stop();
}

void Opener::addFound(const QStringList& files) {
    m_hasFound = true;
    const bool shows = std::exchange(m_showsFound, false);
    if (shows)
        for (const QString& folder : std::as_const(m_folders))
            remember(folder);
    m_images.add(files);
    if (shows)
        m_images.show(*m_images.model().rowOf(files.first()));
}

void Opener::endScan() {
    Q_EMIT scanEnded();
    if (m_refused.size() == 1)
        Q_EMIT failed({ErrorKind::Input,
            toStdString(tr("The folder %1 cannot be read: check that it is there and that you may.")
                            .arg(shownPath(m_refused.first())))});
    else if (!m_refused.isEmpty())
        Q_EMIT failed({ErrorKind::Input,
            toStdString(tr("%1 folders cannot be read, for example %2: check that you may.")
                            .arg(m_refused.size())
                            .arg(shownPath(m_refused.first())))});
    else if (!m_hasFound && !m_stopped)
        Q_EMIT failed({ErrorKind::Input,
            toStdString(tr("There is no image in %1: JPEG, PNG, WebP, GIF, TIFF and BMP are read.")
                            .arg(shownPath(m_folders.first())))});
    if (!m_nextFolders.isEmpty())
        scanNext();
}

void Opener::remember(const QString& path) {
    m_settings.addRecentFile(path);
    Q_EMIT recentFilesChanged();
}

void Opener::openClipboard() {
    const IncomingImage incoming = imageInClipboard();
    if (incoming.isEmpty())
        Q_EMIT failed({ErrorKind::Input,
            toStdString(
                tr("There is no image in the clipboard: copy one, or copy an image file."))});
    else
        open(incoming);
}

void Opener::open(const IncomingImage& incoming) {
    if (incoming.paths.isEmpty())
        m_images.openPixels(incoming.pixels, tr("Pasted image"));
    else
        openPaths(incoming.paths);
}

void Opener::clearRecentFiles() {
    m_settings.clearRecentFiles();
    Q_EMIT recentFilesChanged();
}

} // namespace maskscope
