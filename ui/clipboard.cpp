// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clipboard.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QUrl>
#include <algorithm>

namespace maskscope {

namespace {

bool holdsFile(const QMimeData& data) {
    const QList<QUrl> urls = data.urls();
    return std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
}

} // namespace

bool holdsImage(const QMimeData& data) {
    return data.hasImage() || holdsFile(data);
}

IncomingImage imageIn(const QMimeData& data) {
    IncomingImage incoming;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            incoming.paths += url.toLocalFile();
    if (incoming.paths.isEmpty() && data.hasImage())
        incoming.pixels = qvariant_cast<QImage>(data.imageData());
    return incoming;
}

bool clipboardHoldsImage() {
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    return data != nullptr && (holdsFile(*data) || (data->hasImage() && !data->hasText()));
}

IncomingImage imageInClipboard() {
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    return data != nullptr ? imageIn(*data) : IncomingImage{};
}

} // namespace maskscope
