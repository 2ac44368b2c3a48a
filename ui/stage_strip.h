// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory_series.h"
#include "ui/time_axis.h"

#include <QWidget>

namespace maskscope {

/// The stages in a row above the memory graph, each as wide as it lasted, with name, extra peak and
/// prediction where there is room; masks, which lie inside the decoding, as a thin row below it.
class StageStrip : public QWidget {
    Q_OBJECT
public:
    explicit StageStrip(const StageTrack& stages, QWidget* parent = nullptr);

    void setAxis(const TimeAxis& axis);

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
    TimeAxis m_axis;
};

} // namespace maskscope
