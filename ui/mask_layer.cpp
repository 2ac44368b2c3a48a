// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_layer.h"

#include "core/mask/mask_outline.h"

#include <cstddef>
#include <vector>

namespace maskscope {

namespace {

QPainterPath pathAlong(const std::vector<OutlineRing>& rings) {
    QPainterPath path;
    path.setFillRule(Qt::OddEvenFill);
    for (const OutlineRing& ring : rings) {
        path.moveTo(ring.front().x, ring.front().y);
        for (std::size_t i = 1; i < ring.size(); ++i)
            path.lineTo(ring[i].x, ring[i].y);
        path.closeSubpath();
    }
    return path;
}

} // namespace

MaskLayer makeMaskLayer(const Mask& mask, const QColor& colour) {
    MaskLayer layer;
    if (mask.area == 0)
        return layer;
    const auto [left, top, width, height] = mask.bbox;
    layer.rect = QRect(left, top, width, height);
    layer.fill = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
    const QRgb inside = colour.rgb();
    for (int y = 0; y < height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(layer.fill.scanLine(y));
        const std::uint8_t* bits = mask.bits.data()
            + static_cast<std::size_t>(top + y) * static_cast<std::size_t>(mask.width) + left;
        for (int x = 0; x < width; ++x)
            line[x] = bits[x] != 0 ? inside : 0;
    }
    layer.outline = pathAlong(outlineOf(mask));
    return layer;
}

} // namespace maskscope
