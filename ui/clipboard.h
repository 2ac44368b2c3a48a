// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>

class QMimeData;

namespace maskscope {

/// What comes by the clipboard or a drag: files and folders of this computer, or pixels.
struct IncomingImage {
    QStringList paths; ///< empty when it is pixels
    QImage pixels;

    bool isEmpty() const { return paths.isEmpty() && pixels.isNull(); }
};

/// Cheap enough to ask while something is dragged over the window.
bool holdsImage(const QMimeData& data);
IncomingImage imageIn(const QMimeData& data);

/// False for what is rather text: a cell of a spreadsheet comes as both.
bool clipboardHoldsImage();
IncomingImage imageInClipboard();

} // namespace maskscope
