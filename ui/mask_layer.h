// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <QColor>
#include <QImage>
#include <QPainterPath>
#include <QRect>

namespace maskscope {

/// What is painted of one mask. Making it is work for a background thread.
struct MaskLayer {
    QRect rect; ///< of the mask's ones, in image pixels; empty when there are none
    QImage fill; ///< of the size of `rect`, premultiplied, fully opaque where the mask is
    QPainterPath outline; ///< along the borders of its pixels, in image coordinates, holes included
};

MaskLayer makeMaskLayer(const Mask& mask, const QColor& colour);

} // namespace maskscope
