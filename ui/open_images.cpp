// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/open_images.h"

#include "ui/convert.h"

#include <algorithm>
#include <utility>

namespace maskscope {

OpenImages::OpenImages(ImageReader reader, QObject* parent)
    : QObject(parent)
    , m_model(reader)
    , m_loader(std::move(reader)) {
    connect(&m_loader, &ImageLoader::started, this, &OpenImages::started);
    connect(&m_loader, &ImageLoader::loaded, this, &OpenImages::take);
    connect(&m_loader, &ImageLoader::failed, this, &OpenImages::fail);
}

void OpenImages::open(const QStringList& paths) {
    if (paths.isEmpty())
        return;
    if (paths.size() > 1)
        m_model.add(paths);
    m_loader.openFile(paths.first());
}

void OpenImages::openPixels(const QImage& pixels, const QString& name) {
    m_loader.openPixels(pixels, name);
}

void OpenImages::add(const QStringList& paths) {
    m_model.add(paths);
    Q_EMIT currentChanged();
    if (m_current)
        readNeighboursAhead(nullptr);
}

void OpenImages::show(int row) {
    const ImageModel::Entry& entry = m_model.entry(row);
    if (entry.pasted)
        take(entry.pasted);
    else
        m_loader.openFile(entry.path);
}

std::optional<int> OpenImages::neighbour(int step) const {
    if (!m_current)
        return {};
    for (int row = *m_current + step; row >= 0 && row < m_model.rowCount(); row += step)
        if (m_model.entry(row).state != ImageState::Unreadable)
            return row;
    return {};
}

void OpenImages::showNeighbour(int step) {
    if (const auto row = neighbour(step))
        show(*row);
}

void OpenImages::take(const std::shared_ptr<const Picture>& picture) {
    Q_EMIT leaving();
    const std::shared_ptr<const Picture> before = std::exchange(m_picture, picture);
    m_current = m_model.add(picture);
    if (m_model.entry(*m_current).state == ImageState::Unreadable)
        m_model.setState(*m_current, ImageState::Untouched); // it was mended meanwhile
    Q_EMIT shown(picture);
    Q_EMIT currentChanged();
    readNeighboursAhead(before);
}

void OpenImages::fail(const Error& error, const QString& path) {
    if (const auto row = m_model.rowOf(path))
        m_model.setState(*row, ImageState::Unreadable, toQString(error.sentence));
    Q_EMIT failed(error, path);
    Q_EMIT currentChanged(); // lists go back to the one that is shown
}

void OpenImages::readNeighboursAhead(const std::shared_ptr<const Picture>& before) {
    QStringList paths;
    for (const int step : {1, -1})
        if (const auto row = neighbour(step); row && !m_model.entry(*row).pasted)
            paths += m_model.entry(*row).path;
    m_loader.readAhead(paths, before);
}

void OpenImages::closeCurrent() {
    if (!m_current)
        return;
    const int row = *std::exchange(m_current, std::nullopt);
    m_model.remove(row);
    showNothing();
    if (m_model.rowCount() > 0)
        show(std::min(row, m_model.rowCount() - 1));
}

void OpenImages::closeAll() {
    m_loader.cancel();
    m_current.reset();
    m_model.clear();
    showNothing();
}

void OpenImages::showNothing() {
    m_picture.reset();
    Q_EMIT shown(nullptr);
    Q_EMIT currentChanged();
}

void OpenImages::keep(ImageWork work) {
    if (m_current)
        m_model.setWork(*m_current, std::move(work));
}

ImageWork OpenImages::work() const {
    return m_current ? m_model.entry(*m_current).work : ImageWork();
}

QUndoStack* OpenImages::steps() const {
    return m_current ? m_model.entry(*m_current).steps.get() : nullptr;
}

void OpenImages::setExported(const Picture& picture, const ImageWork& written) {
    const auto row = m_model.rowOf(picture);
    if (row && isSameWork(m_model.entry(*row).work, written))
        m_model.setExported(*row);
}

void OpenImages::setState(ImageState state, const QString& reason) {
    if (m_current)
        m_model.setState(*m_current, state, reason);
}

} // namespace maskscope
