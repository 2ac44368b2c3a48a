// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_scene.h"

#include "ui/convert.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RunScene)
};

constexpr std::uint8_t kEmptyGrey = 0x80;

std::shared_ptr<const Picture> emptyPicture(const RunImage& image, const QString& name) {
    Image grey;
    grey.width = std::max(image.width, 1);
    grey.height = std::max(image.height, 1);
    grey.rgb.assign(
        static_cast<std::size_t>(grey.width) * static_cast<std::size_t>(grey.height) * 3,
        kEmptyGrey);
    return makePicture(std::move(grey), name, {});
}

} // namespace

RunScene sceneOf(const RunRecord& record, const ImageReader& reader) {
    const RunImage& image = record.header.image;
    const QString path = toQString(image.path);
    const QString name = path.isEmpty() ? Text::tr("Pasted image") : QFileInfo(path).fileName();
    try {
        if (!path.isEmpty())
            if (Image pixels = reader(toPath(path)); digestOf(pixels) == image.digest)
                return {makePicture(std::move(pixels), name, path), true};
    } catch (const std::exception&) { // it is gone or no picture any more; a note says so
    }
    return {emptyPicture(image, name), false};
}

} // namespace maskscope
