// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <QImage>
#include <QString>
#include <memory>
#include <vector>

namespace maskscope {

/// An opened image as the window needs it: core's pixels and what is painted. Immutable once made,
/// so that threads may share it.
struct Picture {
    std::shared_ptr<const Image> image;
    std::vector<QImage> levels; ///< element i is 2^i times smaller than the image
    QString name; ///< for people: the file's name, or "Pasted image"
    QString path; ///< empty when it did not come from a file

    QSize size() const { return {image->width, image->height}; }
    /// The coarsest level that still has a pixel for every one of the screen's at `scale` physical
    /// pixels per image pixel.
    int levelFor(double scale) const;
};

/// Builds the levels: work for a background thread.
std::shared_ptr<const Picture> makePicture(Image image, QString name, QString path);

} // namespace maskscope
