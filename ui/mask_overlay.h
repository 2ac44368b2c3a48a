// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_runs.h"

#include <QColor>
#include <QImage>
#include <QRectF>
#include <QSize>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace maskscope {

/// Masks over nothing, painted pixel by pixel of a view. What that takes follows from the size of
/// the view and the runs in its rows, not from the size of the image: many masks on a large image
/// are painted anew for every frame.
///
/// The view's pixel belongs to the image's pixel that its middle lies in, as in the image below.
class MaskOverlay {
public:
    /// `place` is where an image of the size `image` lies, in the view's pixels; it may reach far
    /// beyond the view. Forgets what was painted.
    void begin(QSize view, const QRectF& place, QSizeF image);

    /// Blends the mask over what is there.
    void fill(const MaskRuns& runs, QColor colour, double opacity);
    /// A line of `width` pixels along the borders of the mask, holes included, in place of what is
    /// there. A mask that is smaller than a pixel is still marked.
    void outline(const MaskRuns& runs, QColor colour, double opacity, int width);

    /// Format_ARGB32_Premultiplied.
    const QImage& image() const { return m_image; }

private:
    using Edges = std::vector<std::int32_t>;

    int toImageRow(int y) const;
    /// The view's first row whose middle is not above an image row; in the same way for columns.
    int toViewRow(int y) const;
    int toViewColumn(int x) const;
    /// The first of the view's rows that `runs` may colour and the one after the last, with
    /// `margin` above and below, as far as that is near the view.
    std::pair<int, int> rowsOf(const MaskRuns& runs, int margin) const;
    void toView(std::span<const std::int32_t> edges, Edges& placed) const;
    void setSpan(int y, int begin, int end, QRgb pixel);
    /// The borders of row y, whose edges are `here`, at its sides and against the row above.
    void stamp(int y, const Edges& above, const Edges& here, QRgb pixel, int width);

    QImage m_image;
    double m_left = 0;
    double m_top = 0;
    double m_scaleX = 1; // view pixels per image pixel
    double m_scaleY = 1;
};

} // namespace maskscope
