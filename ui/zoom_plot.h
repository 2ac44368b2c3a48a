// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot.h"

#include <QTimer>
#include <optional>

namespace maskscope {

/// What all plots of the window share: the palette's colours, dragging that zooms, a right click or
/// a double click that shows all again, and a hint while there is nothing to draw. The tables
/// beside them say the same to the keyboard.
class ZoomPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit ZoomPlot(QWidget* parent = nullptr);

    bool isZoomed() const { return m_zoomed; }
    /// Shows everything again.
    void resetZoom();
    /// Draws what there is now, in the next turn of the event loop.
    virtual void refresh() = 0;

Q_SIGNALS:
    void zoomed();
    /// A click with the left button that was no drag and is no part of a double click.
    void clickedAt(const QPointF& at);

protected:
    /// Which axes the zoom moves; null for one that it does not.
    void zoomAlong(QCPAxis* horizontal, QCPAxis* vertical);
    /// Sets ranges without that being a zoom.
    template <class Set>
    void setRanges(Set set) {
        m_settingRanges = true;
        set();
        m_settingRanges = false;
    }
    /// As many marks on an axis with an AxisTicker as there is room for.
    void fitMarks(QCPAxis* axis, int pixelsPerMark) const;
    void setHint(const QString& text);
    /// Shows the hint, and axes without marks.
    void setEmpty(bool empty);
    virtual void applyPalette();

    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QCPItemText* m_hint = nullptr;
    std::optional<QPointF> m_pressed; // by the left button
    QTimer m_click; // until it is known to be no double click
    bool m_zoomed = false;
    bool m_settingRanges = false;
};

} // namespace maskscope
