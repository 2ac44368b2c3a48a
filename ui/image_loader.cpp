// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_loader.h"

#include "ui/convert.h"

#include <QFileInfo>
#include <new>

namespace maskscope {

ImageLoader::ImageLoader(ImageReader reader, QObject* parent)
    : QObject(parent)
    , m_reader(std::move(reader)) { }

void ImageLoader::openFile(const QString& path) {
    const ImageReader reader = m_reader;
    load([reader, path] { return reader(toPath(path)); }, QFileInfo(path).fileName(), path);
}

void ImageLoader::openPixels(const QImage& pixels, const QString& name) {
    load([pixels] { return toImage(pixels); }, name, {});
}

void ImageLoader::load(std::function<Image()> read, const QString& name, const QString& path) {
    const std::uint64_t number = ++m_newest;
    m_busy = true;
    m_background.dropWaiting();
    Q_EMIT started(name);
    auto work = [read = std::move(read), name, path]() -> Outcome {
        try {
            return makePicture(read(), name, path);
        } catch (const Failure& failure) {
            return failure.error();
        } catch (const std::bad_alloc&) {
            return Error{ErrorKind::Memory,
                toStdString(QStringLiteral("%1 needs more memory than is free: close other "
                                           "programs or open a smaller copy of it.")
                                .arg(name))};
        } catch (const std::exception& failure) {
            return Error{ErrorKind::Internal,
                toStdString(QStringLiteral("%1 could not be opened: %2")
                                .arg(name, toQString(failure.what())))};
        }
    };
    m_background.run(std::move(work), [this, number, path](Outcome outcome) {
        if (number != m_newest)
            return;
        m_busy = false;
        if (outcome)
            Q_EMIT loaded(outcome.value());
        else
            Q_EMIT failed(outcome.error(), path);
    });
}

} // namespace maskscope
