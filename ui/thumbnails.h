// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/background.h"
#include "ui/image_loader.h"

#include <QCache>
#include <QImage>
#include <QObject>
#include <QSize>
#include <QStringList>

namespace maskscope {

/// Small pictures of image files, made away from the GUI thread when they are first asked for. What
/// was asked for last is made first, so that a list that is scrolled shows where it stops.
class Thumbnails : public QObject {
    Q_OBJECT
public:
    explicit Thumbnails(ImageReader reader, QObject* parent = nullptr);

    /// Null until it is there; made() or failed() tells.
    QImage find(const QString& path);
    /// Of a picture that has been read anyway.
    void add(const Picture& picture);

    static constexpr QSize kSize{64, 48}; ///< logical pixels of the largest

Q_SIGNALS:
    void made(const QString& path);
    void failed(const QString& path, const maskscope::Error& error);

private:
    void makeNext();
    void keep(const QString& path, const QImage& image);

    ImageReader m_reader;
    QCache<QString, QImage> m_made; // a null image for what cannot be read
    QStringList m_wanted;
    QString m_making;
    Background m_background; // last: its thread uses the reader
};

/// As large as fits into Thumbnails::kSize, on screens with two physical pixels per logical one.
QImage thumbnailOf(const QImage& image);

} // namespace maskscope
