// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/memory_series.h"

#include <QWidget>
#include <optional>
#include <vector>

class QCheckBox;

namespace maskscope {

class MemoryGraph;
class ReadOutView;
class StageStrip;

/// The memory of the newest run: stages, graph and figures. Shows one device, the first that is
/// measured.
class MemoryPanel : public QWidget {
    Q_OBJECT
public:
    explicit MemoryPanel(QWidget* parent = nullptr);

    void begin();
    void add(const std::vector<MemorySample>& samples);
    void beginStage(Stage stage, double tMs);
    void endStage(const StageEnded& ended, double tMs);
    void end(double tMs);
    /// What the preflight foretold, in live bytes above those after loading.
    void setPrediction(std::int64_t extraPeakBytes);
    void setWeights(Weights weights);

    const MemorySeries& series() const { return m_series; }
    const StageTrack& stages() const { return m_stages; }

Q_SIGNALS:
    void weightsChanged(maskscope::Weights weights);

private:
    void refresh();
    void showFigures();
    void alignStrip();

    MemorySeries m_series;
    StageTrack m_stages;
    std::optional<double> m_hoveredMs;
    std::optional<std::int64_t> m_prediction;
    StageStrip* m_strip;
    MemoryGraph* m_graph;
    ReadOutView* m_readOut;
    QCheckBox* m_weights;
};

} // namespace maskscope
