// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picture.h"

#include "ui/convert.h"

#include <algorithm>

namespace maskscope {

int Picture::levelFor(double scale) const {
    int level = 0;
    while (level + 1 < static_cast<int>(levels.size()) && scale * (2 << level) <= 1.0)
        ++level;
    return level;
}

std::shared_ptr<const Picture> makePicture(Image image, QString name, QString path) {
    constexpr int kSmallestSide = 256;
    auto picture = std::make_shared<Picture>();
    picture->levels.push_back(toQImage(image));
    while (
        std::min(picture->levels.back().width(), picture->levels.back().height()) > kSmallestSide) {
        const QImage& finer = picture->levels.back();
        const QSize half((finer.width() + 1) / 2, (finer.height() + 1) / 2);
        picture->levels.push_back(
            finer.scaled(half, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                .convertToFormat(QImage::Format_RGB32));
    }
    picture->image = std::make_shared<const Image>(std::move(image));
    picture->name = std::move(name);
    picture->path = std::move(path);
    return picture;
}

} // namespace maskscope
