// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory_series.h"
#include "ui/plot.h"

#include <vector>

namespace maskscope {

enum class DifferenceLine { Hidden, Shown };

/// Draws the live tensor bytes of several runs over one time axis while they come, above what each
/// had at its start, and the second's minus the first's as a dashed line. Dragging zooms into a
/// stretch of time, a right click or a double click shows all again.
class ComparePlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit ComparePlot(QWidget* parent = nullptr);

    /// Begins anew with a curve for each title.
    void begin(const QStringList& titles);
    void add(int curve, const std::vector<MemorySample>& samples);
    void setDifference(DifferenceLine difference);

    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void updateRanges();
    void updateDifference();
    void applyPalette();
    void resetZoom();
    double extraAt(std::size_t curve, double tMs) const; ///< bytes above its start

    std::vector<MemorySeries> m_series;
    std::vector<QCPGraph*> m_curves;
    QCPGraph* m_difference = nullptr;
    QCPItemText* m_hint;
    DifferenceLine m_shown = DifferenceLine::Hidden;
    bool m_zoomed = false;
    bool m_applyingRange = false;
};

} // namespace maskscope
