// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/rank_series.h"
#include "ui/time_axis.h"

#include <QWidget>
#include <optional>

namespace maskscope {

/// The ranks of a ring below the memory graph, a lane for each on the graph's time axis: its live
/// bytes as an area, of which the staging is the lower part, all on one scale. Hidden without
/// ranks.
class RankLanes : public QWidget {
    Q_OBJECT
public:
    explicit RankLanes(const RankSeries& ranks, QWidget* parent = nullptr);

    /// Draws what there is now.
    void refresh();
    /// What a rank holds is told when it changes: it holds the last until axis.nowMs.
    void setAxis(const TimeAxis& axis);
    void setPointer(std::optional<double> tMs);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int laneHeight() const;
    void paintLane(QPainter& painter, int rank, const RankSeries::Lane& lane, const QRect& area);

    const RankSeries& m_ranks;
    std::optional<double> m_pointerMs;
    TimeAxis m_axis;
};

} // namespace maskscope
