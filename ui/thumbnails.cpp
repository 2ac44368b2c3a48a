// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/thumbnails.h"

#include "ui/convert.h"

#include <utility>

namespace maskscope {

namespace {

constexpr qsizetype kMostKibibytes = 32 * 1024; // about 700
constexpr qsizetype kMostWanted = 64; // more than a screen shows; others are asked for again
constexpr int kSharpness = 2;

using Outcome = Result<QImage>;

Outcome makeThumbnail(const ImageReader& reader, const QString& path) {
    try {
        const Image image = reader(toPath(path));
        return thumbnailOf(QImage(image.rgb.data(), image.width, image.height,
            static_cast<qsizetype>(image.width) * 3, QImage::Format_RGB888));
    } catch (...) {
        return errorOf(std::current_exception());
    }
}

} // namespace

QImage thumbnailOf(const QImage& image) {
    // Smoothing reads every pixel, which for a large image takes longer than decoding it.
    constexpr int kFiner = 4;
    const QSize size = Thumbnails::kSize * kSharpness;
    const QImage coarse = image.width() > kFiner * size.width()
        ? image.scaled(size * kFiner, Qt::KeepAspectRatio, Qt::FastTransformation)
        : image;
    // Small ones are not enlarged.
    QSize fitting = coarse.size();
    if (fitting.width() > size.width() || fitting.height() > size.height())
        fitting.scale(size, Qt::KeepAspectRatio);
    return coarse
        .scaled(fitting.expandedTo({1, 1}), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_RGB32);
}

Thumbnails::Thumbnails(ImageReader reader, QObject* parent)
    : QObject(parent)
    , m_reader(std::move(reader))
    , m_made(kMostKibibytes) { }

QImage Thumbnails::find(const QString& path) {
    if (const QImage* image = m_made.object(path))
        return *image;
    if (path != m_making) {
        m_wanted.removeAll(path);
        m_wanted.append(path);
        if (m_wanted.size() > kMostWanted)
            m_wanted.removeFirst();
        makeNext();
    }
    return {};
}

void Thumbnails::add(const Picture& picture) {
    keep(picture.path, thumbnailOf(picture.levels.back()));
    Q_EMIT made(picture.path);
}

void Thumbnails::keep(const QString& path, const QImage& image) {
    m_wanted.removeAll(path);
    m_made.insert(path, new QImage(image), 1 + image.sizeInBytes() / 1024);
}

void Thumbnails::makeNext() {
    if (!m_making.isEmpty() || m_wanted.isEmpty())
        return;
    m_making = m_wanted.takeLast();
    m_background.run([reader = m_reader, path = m_making] { return makeThumbnail(reader, path); },
        [this](const Outcome& outcome) {
            const QString path = std::exchange(m_making, {});
            keep(path, outcome ? outcome.value() : QImage());
            if (outcome)
                Q_EMIT made(path);
            else
                Q_EMIT failed(path, outcome.error());
            makeNext();
        });
}

} // namespace maskscope
