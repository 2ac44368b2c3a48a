// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory_series.h"

#include <QWidget>

namespace maskscope {

/// The stages in a row above the memory graph, each as wide as it lasted, with name, extra peak and
/// prediction where there is room; masks, which lie inside the decoding, as a thin row below it.
class StageStrip : public QWidget {
    Q_OBJECT
public:
    explicit StageStrip(const StageTrack& stages, QWidget* parent = nullptr);

    /// The graph's time axis: [beginMs, endMs] lies on [left, right] of this widget.
    void setAxis(double beginMs, double endMs, double left, double right, double nowMs);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF rectOf(const StageTrack::Band& band) const;
    /// As much about it as goes into that width.
    QString labelOf(const StageTrack::Band& band, double width) const;

    const StageTrack& m_stages;
    double m_beginMs = 0;
    double m_endMs = 1;
    double m_left = 0;
    double m_right = 1;
    double m_nowMs = 0;
};

} // namespace maskscope
