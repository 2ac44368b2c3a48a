// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory_series.h"
#include "ui/zoom_plot.h"

#include <vector>

namespace maskscope {

enum class DifferenceLine { Hidden, Shown };

/// Draws the live tensor bytes of several runs over one time axis while they come, above what each
/// had at its start, and the second's minus the first's as a dashed line.
class ComparePlot final : public ZoomPlot {
    Q_OBJECT
public:
    explicit ComparePlot(QWidget* parent = nullptr);

    /// Begins anew with a curve for each title.
    void begin(const QStringList& titles);
    void add(int curve, const std::vector<MemorySample>& samples);
    void setDifference(DifferenceLine difference);
    void refresh() override;

    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

Q_SIGNALS:
    /// At a moment of the curve that is nearest to the click, or at its peak.
    void momentClicked(int curve, double tMs);
    void peakClicked(int curve);

protected:
    void applyPalette() override;

private:
    void updateCurves();
    void updateDifference();
    void updateRanges();
    void updatePeaks();
    void click(const QPointF& at);
    std::vector<MemorySample> shownOf(const MemorySeries& series) const;
    double extraAt(std::size_t curve, double tMs) const; ///< bytes above its start

    std::vector<MemorySeries> m_series;
    std::vector<QCPGraph*> m_curves;
    std::vector<QCPItemTracer*> m_peaks; // marks, one for each curve
    QCPGraph* m_difference = nullptr;
    DifferenceLine m_shown = DifferenceLine::Hidden;
};

} // namespace maskscope
