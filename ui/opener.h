// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/clipboard.h"
#include "ui/folder_scan.h"
#include "ui/open_images.h"
#include "ui/settings.h"

#include <QObject>
#include <QStringList>

class QWidget;

namespace maskscope {

/// The ways by which images come into the window: dialogs, paths of files and folders, clipboard,
/// drop. Keeps the list of what was opened last.
class Opener : public QObject {
    Q_OBJECT
public:
    /// `window` carries the dialogs and is the parent. All of them outlive it.
    Opener(Settings& settings, OpenImages& images, QWidget* window);

    void chooseFiles();
    void chooseFolder();
    /// Files and folders.
    void openPaths(const QStringList& paths);
    void openPath(const QString& path) { openPaths({path}); }
    void openClipboard();
    void open(const IncomingImage& incoming);
    void clearRecentFiles();
    /// Something is being looked for or read to be shown.
    bool isBusy() const { return m_images.isBusy() || isScanning(); }
    bool isScanning() const { return m_scan.state() != FolderScan::State::Idle; }
    /// What was found stays.
    void stopScan();

Q_SIGNALS:
    void failed(const maskscope::Error& error);
    void recentFilesChanged();
    /// Folders are being looked through.
    void scanBegan();
    void scanEnded();

private:
    void remember(const QString& path);
    void addFound(const QStringList& files);
    void scanNext();
    void endScan();
    QString lastFolder() const;

    Settings& m_settings;
    OpenImages& m_images;
    QWidget* m_window;
    QString m_asked; // the file that was asked for by itself
    QStringList m_folders; // that are being looked through
    QStringList m_nextFolders; // after these
    QStringList m_refused; // of m_folders and those below
    bool m_showsFound = false; // the first image that is found
    bool m_nextShows = false;
    bool m_hasFound = false;
    bool m_stopped = false;
    FolderScan m_scan; // last: its thread calls back
};

} // namespace maskscope
