// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/clipboard.h"
#include "ui/image_loader.h"
#include "ui/settings.h"

#include <QObject>
#include <memory>

class QWidget;

namespace maskscope {

/// The ways by which an image comes into the window: dialog, path, clipboard, drop. Keeps the list
/// of recent files.
class Opener : public QObject {
    Q_OBJECT
public:
    /// `window` carries the dialog and is the parent.
    Opener(Settings& settings, ImageReader reader, QWidget* window);

    void chooseFile();
    void openFile(const QString& path);
    void openClipboard();
    void open(const IncomingImage& incoming);
    void clearRecentFiles();
    bool isBusy() const { return m_loader.isBusy(); }

Q_SIGNALS:
    void started(const QString& name);
    void opened(const std::shared_ptr<const maskscope::Picture>& picture);
    void failed(const maskscope::Error& error);
    void recentFilesChanged();

private:
    Settings& m_settings;
    QWidget* m_window;
    ImageLoader m_loader;
};

} // namespace maskscope
