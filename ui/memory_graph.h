// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/graph_axis.h"
#include "ui/memory_series.h"
#include "ui/zoom_plot.h"

#include <array>
#include <optional>

namespace maskscope {

/// Draws a MemorySeries: live tensor bytes as areas stacked by category on the left axis, the
/// memory of the whole process as a line on the right one, the stages as bands behind them and a
/// mark at the peak.
class MemoryGraph final : public ZoomPlot {
    Q_OBJECT
public:
    MemoryGraph(const MemorySeries& series, const StageTrack& stages, QWidget* parent = nullptr);

    void refresh() override;
    void setWeights(Weights weights);
    /// Where on the time axis a pixel lies, and the other way round.
    double msAt(double x) const { return xAxis->pixelToCoord(x); }
    double pixelAt(double tMs) const { return xAxis->coordToPixel(tMs); }

    QSize sizeHint() const override { return {520, 170}; }
    QSize minimumSizeHint() const override { return {220, 110}; }

Q_SIGNALS:
    void hoveredAt(std::optional<double> tMs);
    void momentClicked(double tMs);
    void peakClicked();

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void applyPalette() override;

private:
    void makeGraphs();
    void makeMarks();
    void click(const QPointF& at);
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
    QCPItemStraightLine* m_pointer = nullptr;
    Weights m_weights = Weights::Shown;
};

} // namespace maskscope
