// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/measure/layer.h"
#include "core/memory/sample.h"

#include <QColor>
#include <QPalette>

namespace maskscope {

/// Every colour that carries a meaning in the window, in one place. All sets stay apart for people
/// who see fewer colours (core's maskColour for masks, Paul Tol's "bright" for the graph, Okabe and
/// Ito's palette for attention paths), and
/// nothing is told by colour alone: masks and chips have numbers, points a sign, categories and
/// stages names.

/// core's maskColour: the colour of the mask that appeared as number `index`, from 0.
QColor colourOfMask(int index);
/// Black or white, whichever reads better on `background`.
QColor textOn(const QColor& background);

QColor colourOf(MemoryCategory category);
QColor colourOf(Stage stage);
QColor colourOf(LayerPath path);
QColor processColour(const QPalette& palette);

QColor positiveColour();
QColor negativeColour();
QColor boxColour();

bool isDark(const QPalette& palette);
QColor withAlpha(QColor colour, int alpha);

} // namespace maskscope
