// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opener.h"

#include "ui/convert.h"

#include <QFileDialog>
#include <QFileInfo>

namespace maskscope {

Opener::Opener(Settings& settings, ImageReader reader, QWidget* window)
    : QObject(window)
    , m_settings(settings)
    , m_window(window)
    , m_loader(std::move(reader)) {
    connect(&m_loader, &ImageLoader::started, this, &Opener::started);
    connect(&m_loader, &ImageLoader::loaded, this,
        [this](const std::shared_ptr<const Picture>& picture) {
            if (!picture->path.isEmpty()) {
                m_settings.addRecentFile(picture->path);
                Q_EMIT recentFilesChanged();
            }
            Q_EMIT opened(picture);
        });
    connect(&m_loader, &ImageLoader::failed, this, [this](const Error& error, const QString& path) {
        m_settings.removeRecentFile(path);
        Q_EMIT recentFilesChanged();
        Q_EMIT failed(error);
    });
}

void Opener::chooseFile() {
    const QString filter
        = tr("Images (%1)")
              .arg(QStringLiteral(
                  "*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp *.gif *.ppm *.pgm *.pbm"));
    const QStringList recent = m_settings.recentFiles();
    const QString folder = recent.isEmpty() ? QString() : QFileInfo(recent.first()).path();
    auto* dialog = new QFileDialog(m_window, tr("Open an image"), folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({filter, tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &Opener::openFile);
    dialog->open();
}

void Opener::openFile(const QString& path) {
    m_loader.openFile(QFileInfo(path).absoluteFilePath());
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
    if (incoming.file.isEmpty())
        m_loader.openPixels(incoming.pixels, tr("Pasted image"));
    else
        openFile(incoming.file);
}

void Opener::clearRecentFiles() {
    m_settings.clearRecentFiles();
    Q_EMIT recentFilesChanged();
}

} // namespace maskscope
