// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <QImage>
#include <QString>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace maskscope {

// The only place where core's values become Qt's and the other way round.

/// UTF-8; bytes that are not become U+FFFD.
QString toQString(std::string_view text);
std::string toStdString(const QString& text);
std::filesystem::path toPath(const QString& file);

/// For tool tips, where Qt guesses whether text is markup: never, whatever it looks like.
QString toolTipText(const QString& plain);

/// A deep copy in Format_RGB32, the one Qt paints fastest.
QImage toQImage(const Image& image);
/// Transparent pixels are laid over white, as when a file is read.
Image toImage(const QImage& image);

} // namespace maskscope
