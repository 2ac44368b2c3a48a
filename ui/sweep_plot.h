// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"
#include "ui/sweep_sheets.h"
#include "ui/zoom_plot.h"

#include <optional>
#include <vector>

namespace maskscope {

enum class ByteScale { Linear, Logarithmic };
enum class PublishedCurve { Hidden, Shown };

/// Draws a sweep, bytes over patches: for each path what is predicted (dashed), what was measured
/// (dots), the law through it (line) and where memory ended (a cross).
class SweepPlot final : public ZoomPlot {
    Q_OBJECT
public:
    explicit SweepPlot(QWidget* parent = nullptr);

    /// `threads` is how many this machine has by default, for predictions.
    void setRecord(const SweepRecord& record, int threads);
    void setScale(ByteScale scale);
    void setPublished(PublishedCurve published);
    void refresh() override;
    /// What is said of the mark at a place of the widget; empty where none is near.
    QString textAt(const QPointF& at) const;

    QSize sizeHint() const override { return {560, 320}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

Q_SIGNALS:
    /// A measured one.
    void pointClicked(const maskscope::SweepPlace& point);

protected:
    bool event(QEvent* event) override;

private:
    /// Something drawn that can be asked about.
    struct Mark {
        double patches = 0;
        double bytes = 0;
        QString text;
        std::optional<SweepPlace> point; ///< that was measured
    };

    void drawPath(LayerPath path, const std::vector<SweepFit>& fits);
    void drawPublished();
    QCPGraph* addCurve(
        const QPen& pen, const QVector<QCPGraphData>& points, const QString& name = {});
    void addMarks(
        const QVector<QCPGraphData>& points, const QCPScatterStyle& style, const QString& name);
    const Mark* markAt(const QPointF& at) const; ///< null where none is near
    void updateRanges();

    SweepRecord m_record;
    int m_threads = 1;
    std::vector<Mark> m_marks;
    double m_most = 0; ///< bytes that were drawn
    double m_least = 0;
    QSharedPointer<QCPAxisTicker> m_linearTicker;
    QSharedPointer<QCPAxisTicker> m_logTicker;
    ByteScale m_scale = ByteScale::Linear;
    PublishedCurve m_published = PublishedCurve::Hidden;
};

} // namespace maskscope
