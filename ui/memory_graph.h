// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/graph_axis.h"
#include "ui/memory_series.h"
#include "ui/plot.h"

#include <array>
#include <optional>

namespace maskscope {

/// Draws a MemorySeries: live tensor bytes as areas stacked by category on the left axis, the
/// memory of the whole process as a line on the right one, the stages as bands behind them and a
/// mark at the peak. Dragging zooms into a stretch of time, a right click or a double click shows
/// all again.
class MemoryGraph : public QCustomPlot {
    Q_OBJECT
public:
    MemoryGraph(const MemorySeries& series, const StageTrack& stages, QWidget* parent = nullptr);

    /// Draws what the series holds now, in the next turn of the event loop.
    void refresh();
    void setWeights(Weights weights);
    /// Shows the whole run again.
    void resetZoom();
    bool isZoomed() const { return m_zoomed; }
    /// Where on the time axis a pixel lies, and the other way round.
    double msAt(double x) const { return xAxis->pixelToCoord(x); }
    double pixelAt(double tMs) const { return xAxis->coordToPixel(tMs); }

    QSize sizeHint() const override { return {520, 170}; }
    QSize minimumSizeHint() const override { return {220, 110}; }

Q_SIGNALS:
    void hoveredAt(std::optional<double> tMs);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeGraphs();
    void makeMarks();
    void applyPalette();
    void updateRanges();
    void updateCurves();
    void updateBands();
    void updatePeak();

    const MemorySeries& m_series;
    const StageTrack& m_stages;
    std::array<QCPGraph*, kMemoryCategories> m_areas{};
    QCPGraph* m_process = nullptr;
    std::vector<QCPItemRect*> m_bands;
    QCPItemTracer* m_peak = nullptr;
    QCPItemText* m_peakText = nullptr;
    QCPItemText* m_hint = nullptr;
    QCPItemStraightLine* m_pointer = nullptr;
    Weights m_weights = Weights::Shown;
    bool m_zoomed = false;
    bool m_applyingRange = false;
};

} // namespace maskscope
