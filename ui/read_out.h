// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory_series.h"

#include <QColor>
#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

namespace maskscope {

/// What the memory graph says in figures at one moment.
struct ReadOut {
    /// How the figure is drawn in the graph.
    enum class Mark { None, Area, HiddenArea, Line };
    struct Line {
        QString name;
        QString value;
        Mark mark = Mark::None;
        QColor colour = {}; ///< of an area
    };
    QString title; ///< "Now", "At 1.25 s · decode"
    std::vector<Line> lines; ///< categories that were ever used, then totals; "N/A" where unknown
};

/// At `tMs`, or at the end of what is measured when absent.
ReadOut readOut(const MemorySeries& series, const StageTrack& stages, std::optional<double> tMs,
    Weights weights = Weights::Shown);

/// "KV cache": a category for people.
QString titleOf(MemoryCategory category);
QString titleOf(Stage stage);

/// Shows a ReadOut; the graph's legend at the same time.
class ReadOutView : public QWidget {
    Q_OBJECT
public:
    explicit ReadOutView(QWidget* parent = nullptr);

    void show(const ReadOut& readOut);
    const ReadOut& shown() const { return m_readOut; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int lineHeight() const;
    int contentHeight() const;

    ReadOut m_readOut;
};

} // namespace maskscope
