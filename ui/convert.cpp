// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/convert.h"

#include <QFile>
#include <QPainter>
#include <cstring>

namespace maskscope {

QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string toStdString(const QString& text) {
    return text.toUtf8().toStdString();
}

std::filesystem::path toPath(const QString& file) {
    return {QFile::encodeName(file).toStdString()};
}

QString toolTipText(const QString& plain) {
    return QStringLiteral("<qt>%1</qt>").arg(plain.toHtmlEscaped());
}

QImage toQImage(const Image& image) {
    const QImage view(image.rgb.data(), image.width, image.height,
        static_cast<qsizetype>(image.width) * 3, QImage::Format_RGB888);
    return view.convertToFormat(QImage::Format_RGB32);
}

Image toImage(const QImage& image) {
    Image result;
    result.source.channels = image.isGrayscale() ? 1 : image.hasAlphaChannel() ? 4 : 3;
    QImage opaque = image;
    if (image.hasAlphaChannel()) {
        opaque = QImage(image.size(), QImage::Format_RGB32);
        opaque.fill(Qt::white);
        QPainter painter(&opaque);
        painter.drawImage(QPoint(0, 0), image);
    }
    opaque = opaque.convertToFormat(QImage::Format_RGB888);
    result.width = opaque.width();
    result.height = opaque.height();
    const auto row = static_cast<std::size_t>(result.width) * 3;
    result.rgb.resize(row * static_cast<std::size_t>(result.height));
    for (int y = 0; y < result.height; ++y)
        std::memcpy(
            result.rgb.data() + row * static_cast<std::size_t>(y), opaque.constScanLine(y), row);
    return result;
}

} // namespace maskscope
