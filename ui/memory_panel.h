// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/rank_series.h"
#include "ui/run_moment.h"

#include <QWidget>
#include <optional>
#include <vector>

class QCheckBox;
class QPushButton;
class QTabWidget;

namespace maskscope {

class FigureTable;
class MemoryGraph;
class RankLanes;
class ReadOutView;
class StageStrip;

/// The memory of the newest run: stages, graph, a ring's ranks, and figures. Shows one device, the
/// first that is measured.
class MemoryPanel : public QWidget {
    Q_OBJECT
public:
    explicit MemoryPanel(QWidget* parent = nullptr);

    void begin();
    void add(const std::vector<MemorySample>& samples);
    void addRanks(const std::vector<RankSample>& samples);
    void beginStage(Stage stage, double tMs);
    void endStage(const StageEnded& ended, double tMs);
    /// A run that ends before its first stage leaves no curve.
    void end(double tMs);
    /// What was foretold for the run that ended.
    void setReport(const Report& report);
    void setWeights(Weights weights);

    const MemorySeries& series() const { return m_series; }
    const StageTrack& stages() const { return m_stages; }
    const RankSeries& ranks() const { return m_ranks; }
    /// A run has ended and left a curve.
    bool hasPeak() const { return !m_stages.isOpen() && !m_series.isEmpty(); }
    /// As a click on the peak.
    void choosePeak();

Q_SIGNALS:
    void weightsChanged(maskscope::Weights weights);
    /// Of the run shown, which has ended: to look into it.
    void momentChosen(const maskscope::AnatomyMoment& moment);

private:
    void refresh();
    void chooseMoment(double tMs);
    void updatePeak();
    void showFigures();
    void showStages();
    void showRanks();
    QWidget* makeFigures();
    void alignStrip();

    MemorySeries m_series;
    StageTrack m_stages;
    RankSeries m_ranks;
    std::optional<double> m_hoveredMs;
    std::optional<std::int64_t> m_prediction;
    StageStrip* m_strip;
    MemoryGraph* m_graph;
    RankLanes* m_lanes;
    ReadOutView* m_readOut;
    QTabWidget* m_tabs;
    FigureTable* m_figures; // of the stages
    FigureTable* m_rankFigures;
    QCheckBox* m_weights;
    QPushButton* m_peak;
};

} // namespace maskscope
