// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_overlay.h"

#include "core/mask/pixel_span.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

namespace maskscope {

namespace {

// Far beyond any screen, but no trouble for whole numbers.
constexpr int kFar = 1 << 24;

QRgb premultiplied(QColor colour, double opacity) {
    colour.setAlphaF(static_cast<float>(colour.alphaF() * opacity));
    return qPremultiply(colour.rgba());
}

/// `over` on `under`, both premultiplied; two channels at a time.
QRgb blended(QRgb over, QRgb under) {
    constexpr QRgb kTwo = 0x00ff00ff;
    constexpr QRgb kHalf = 0x00800080;
    const QRgb rest = 255 - qAlpha(over);
    QRgb even = (under & kTwo) * rest + kHalf;
    QRgb odd = ((under >> 8) & kTwo) * rest + kHalf;
    even = ((even + ((even >> 8) & kTwo)) >> 8) & kTwo;
    odd = (odd + ((odd >> 8) & kTwo)) & ~kTwo;
    return over + (even | odd);
}

} // namespace

void MaskOverlay::begin(QSize view, const QRectF& place, QSizeF image) {
    if (m_image.size() != view)
        m_image = QImage(view, QImage::Format_ARGB32_Premultiplied);
    m_image.fill(Qt::transparent);
    m_left = place.left();
    m_top = place.top();
    m_scaleX = place.width() / image.width();
    m_scaleY = place.height() / image.height();
}

int MaskOverlay::toImageRow(int y) const {
    return static_cast<int>(
        std::clamp<double>(std::floor((y + 0.5 - m_top) / m_scaleY), -kFar, kFar));
}

int MaskOverlay::toViewRow(int y) const {
    return firstPixelFrom(m_top + y * m_scaleY, -kFar, kFar);
}

int MaskOverlay::toViewColumn(int x) const {
    return firstPixelFrom(m_left + x * m_scaleX, -kFar, kFar);
}

std::pair<int, int> MaskOverlay::rowsOf(const MaskRuns& runs, int margin) const {
    const int begin = toViewRow(runs.bbox[1]) - margin;
    const int end = toViewRow(runs.bbox[1] + runs.bbox[3]) + margin;
    return {std::max(begin, -margin), std::min(end, m_image.height() + margin)};
}

void MaskOverlay::toView(std::span<const std::int32_t> edges, Edges& placed) const {
    placed.clear();
    std::transform(edges.begin(), edges.end(), std::back_inserter(placed),
        [this](std::int32_t x) { return toViewColumn(x); });
}

void MaskOverlay::fill(const MaskRuns& runs, QColor colour, double opacity) {
    const QRgb over = premultiplied(colour, opacity);
    const auto [begin, end] = rowsOf(runs, 0);
    const int width = m_image.width();
    Edges placed;
    std::optional<int> placedRow;
    for (int y = begin; y < end; ++y) {
        if (const int row = toImageRow(y); placedRow != row) {
            toView(runs.row(row), placed);
            placedRow = row;
        }
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
        for (std::size_t i = 0; i < placed.size(); i += 2) {
            const int last = std::min(placed[i + 1], width);
            for (int x = std::max(placed[i], 0); x < last; ++x)
                line[x] = blended(over, line[x]);
        }
    }
}

void MaskOverlay::outline(const MaskRuns& runs, QColor colour, double opacity, int width) {
    if (runs.isEmpty())
        return;
    const QRgb pixel = premultiplied(colour, opacity);
    // One row more than the mask has, for its lower border.
    const auto [begin, end] = rowsOf(runs, width + 1);
    Edges above;
    Edges here;
    toView(runs.row(toImageRow(begin - 1)), above);
    for (int y = begin; y < end; ++y) {
        toView(runs.row(toImageRow(y)), here);
        stamp(y, above, here, pixel, width);
        above.swap(here);
    }
    const int top = toViewRow(runs.bbox[1]);
    if (top == toViewRow(runs.bbox[1] + runs.bbox[3])) { // between two rows of the view
        toView(std::array{runs.bbox[0], runs.bbox[0] + runs.bbox[2]}, here);
        here.back() = std::max(here.back(), here.front() + 1);
        stamp(top, {}, here, pixel, width);
    }
}

void MaskOverlay::setSpan(int y, int begin, int end, QRgb pixel) {
    if (y < 0 || y >= m_image.height())
        return;
    auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
    const int first = std::clamp(begin, 0, m_image.width());
    std::fill(line + first, line + std::clamp(end, first, m_image.width()), pixel);
}

void MaskOverlay::stamp(int y, const Edges& above, const Edges& here, QRgb pixel, int width) {
    const int before = width / 2;
    const int after = width - before;
    for (const int x : here)
        setSpan(y, x - before, x + after, pixel);
    if (above == here)
        return;
    // Where only one of the two rows is inside, a border runs between them; the edges of both,
    // in order, go in and out of that in turns.
    Edges border;
    std::merge(above.begin(), above.end(), here.begin(), here.end(), std::back_inserter(border));
    for (std::size_t i = 0; i < border.size(); i += 2) {
        if (border[i] == border[i + 1])
            continue;
        for (int line = y - before; line < y + after; ++line)
            setSpan(line, border[i] - before, border[i + 1] + after, pixel);
    }
}

} // namespace maskscope
