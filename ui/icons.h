// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace maskscope {

/// resources/icons/<name>.svg in the colours of the palette that is current when it is painted,
/// sharp at every scale.
QIcon icon(const QString& name, QPalette::ColorRole role = QPalette::ButtonText);

/// The program's own.
QIcon applicationIcon();

} // namespace maskscope
