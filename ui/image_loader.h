// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/image/image.h"
#include "ui/background.h"
#include "ui/picture.h"

#include <QHash>
#include <QImage>
#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <memory>

namespace maskscope {

/// Reads a file; throws a Failure with the sentence for the person.
using ImageReader = std::function<Image(const std::filesystem::path&)>;

/// Opens images away from the GUI thread, and reads ahead what is likely to be opened next. The
/// newest wins: what an older call reads is dropped.
class ImageLoader : public QObject {
    Q_OBJECT
public:
    explicit ImageLoader(ImageReader reader, QObject* parent = nullptr);

    /// What was read ahead is loaded before this returns.
    void openFile(const QString& path);
    /// Takes pixels that came without a file (clipboard, drag from a browser).
    void openPixels(const QImage& pixels, const QString& name);
    /// Nothing is to be opened any more.
    void cancel();
    bool isBusy() const { return m_busy; }

    /// Reads these in their order, each as far as all together stay within kMostAheadBytes, and
    /// forgets others that were read ahead. `known` has been read anyway; null is none.
    void readAhead(const QStringList& paths, const std::shared_ptr<const Picture>& known);

    /// Two images of 24 megapixels.
    static constexpr qint64 kMostAheadBytes = qint64(512) << 20;

Q_SIGNALS:
    void started(const QString& name);
    void loaded(const std::shared_ptr<const maskscope::Picture>& picture);
    void failed(const maskscope::Error& error, const QString& path);

private:
    using Outcome = Result<std::shared_ptr<const Picture>>;

    void begin(const QString& name);
    void load(std::function<Image()> read, const QString& name, const QString& path);
    void deliver(const Outcome& outcome, const QString& path);
    void readNext();
    void keepAhead(const std::shared_ptr<const Picture>& picture);

    ImageReader m_reader;
    std::uint64_t m_newest = 0;
    bool m_busy = false;
    QHash<QString, std::shared_ptr<const Picture>> m_ahead;
    QStringList m_neighbours; // wanted in m_ahead
    QStringList m_toRead; // those of them that were not tried yet
    QString m_reading; // ahead, just now
    QString m_wanted; // to be opened, but being read ahead
    Background m_background; // last: their threads use the reader
    Background m_aheadBackground;
};

} // namespace maskscope
