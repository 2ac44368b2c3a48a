// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_loader.h"

#include "ui/convert.h"

#include <QFileInfo>
#include <new>
#include <utility>

namespace maskscope {

namespace {

using Outcome = Result<std::shared_ptr<const Picture>>;

Outcome readPicture(const std::function<Image()>& read, const QString& name, const QString& path) {
    try {
        return makePicture(read(), name, path);
    } catch (const Failure& failure) {
        return failure.error();
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::Memory,
            toStdString(ImageLoader::tr("%1 needs more memory than is free: close other programs "
                                        "or open a smaller copy of it.")
                            .arg(name))};
    } catch (const std::exception& failure) {
        return Error{ErrorKind::Internal,
            toStdString(ImageLoader::tr("%1 could not be opened: %2")
                            .arg(name, toQString(failure.what())))};
    }
}

qint64 bytesOf(const Picture& picture) {
    qint64 bytes = static_cast<qint64>(picture.image->rgb.size());
    for (const QImage& level : picture.levels)
        bytes += level.sizeInBytes();
    return bytes;
}

} // namespace

ImageLoader::ImageLoader(ImageReader reader, QObject* parent)
    : QObject(parent)
    , m_reader(std::move(reader)) { }

void ImageLoader::begin(const QString& name) {
    ++m_newest;
    m_wanted.clear();
    m_busy = true;
    m_background.dropWaiting();
    Q_EMIT started(name);
}

void ImageLoader::openFile(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    begin(name);
    if (const auto ahead = m_ahead.constFind(path); ahead != m_ahead.constEnd())
        deliver(Outcome(*ahead), path);
    else if (path == m_reading)
        m_wanted = path;
    else
        load([reader = m_reader, path] { return reader(toPath(path)); }, name, path);
}

void ImageLoader::openPixels(const QImage& pixels, const QString& name) {
    begin(name);
    load([pixels] { return toImage(pixels); }, name, {});
}

void ImageLoader::cancel() {
    ++m_newest;
    m_wanted.clear();
    m_busy = false;
    m_background.dropWaiting();
    readAhead({}, nullptr);
}

void ImageLoader::load(std::function<Image()> read, const QString& name, const QString& path) {
    m_background.run([read = std::move(read), name, path] { return readPicture(read, name, path); },
        [this, number = m_newest, path](const Outcome& outcome) {
            if (number == m_newest)
                deliver(outcome, path);
        });
}

void ImageLoader::deliver(const Outcome& outcome, const QString& path) {
    m_busy = false;
    if (outcome)
        Q_EMIT loaded(outcome.value());
    else
        Q_EMIT failed(outcome.error(), path);
}

void ImageLoader::readAhead(const QStringList& paths, const std::shared_ptr<const Picture>& known) {
    m_neighbours = m_toRead = paths;
    m_ahead.removeIf([&](const auto& entry) { return !paths.contains(entry.key()); });
    if (known && paths.contains(known->path))
        keepAhead(known);
    readNext();
}

void ImageLoader::keepAhead(const std::shared_ptr<const Picture>& picture) {
    qint64 bytes = bytesOf(*picture);
    for (const auto& other : std::as_const(m_ahead))
        bytes += other->path == picture->path ? 0 : bytesOf(*other);
    if (bytes <= kMostAheadBytes)
        m_ahead.insert(picture->path, picture);
}

void ImageLoader::readNext() {
    if (!m_reading.isEmpty())
        return;
    while (!m_toRead.isEmpty() && m_ahead.contains(m_toRead.first()))
        m_toRead.removeFirst();
    if (m_toRead.isEmpty())
        return;
    m_reading = m_toRead.takeFirst();
    m_aheadBackground.run(
        [reader = m_reader, path = m_reading] {
            const auto read = [&] { return reader(toPath(path)); };
            return readPicture(read, QFileInfo(path).fileName(), path);
        },
        [this](const Outcome& outcome) {
            const QString path = std::exchange(m_reading, {});
            if (path == std::exchange(m_wanted, {}))
                deliver(outcome, path);
            else if (outcome && m_neighbours.contains(path)) // failures are told on opening
                keepAhead(outcome.value());
            readNext();
        });
}

} // namespace maskscope
