// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

class QMimeData;

namespace maskscope {

/// An image that comes by the clipboard or a drag: a file of this computer, or pixels.
struct IncomingImage {
    QString file; ///< empty when it is pixels
    QImage pixels;
    int moreFiles = 0; ///< files that came with it and are not taken

    bool isEmpty() const { return file.isEmpty() && pixels.isNull(); }
};

/// Cheap enough to ask while something is dragged over the window.
bool holdsImage(const QMimeData& data);
IncomingImage imageIn(const QMimeData& data);

/// False for what is rather text: a cell of a spreadsheet comes as both.
bool clipboardHoldsImage();
IncomingImage imageInClipboard();

} // namespace maskscope
