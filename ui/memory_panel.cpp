// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_panel.h"

#include "ui/graph_axis.h"
#include "ui/memory_graph.h"
#include "ui/read_out.h"
#include "ui/stage_strip.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace maskscope {

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent)
    , m_strip(new StageStrip(m_stages, this))
    , m_graph(new MemoryGraph(m_series, m_stages, this))
    , m_readOut(new ReadOutView(this))
    , m_weights(new QCheckBox(tr("Show the weights"), this))
    , m_peak(new QPushButton(tr("What is in the peak…"), this)) {
    setObjectName(QStringLiteral("memoryPanel"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip, 0, 0);
    layout->addWidget(m_graph, 1, 0);
    auto* figures = new QVBoxLayout;
    figures->setSpacing(0);
    figures->addWidget(m_readOut, 1);
    figures->addWidget(m_weights);
    figures->addWidget(m_peak);
    layout->addLayout(figures, 0, 1, 2, 1);
    layout->setColumnStretch(0, 1);
    layout->setRowStretch(1, 1);

    connect(m_graph, &MemoryGraph::hoveredAt, this, [this](std::optional<double> tMs) {
        m_hoveredMs = tMs;
        showFigures();
    });
    m_weights->setObjectName(QStringLiteral("weightsBox"));
    m_weights->setChecked(true);
    m_weights->setContentsMargins(10, 2, 4, 6);
    m_weights->setToolTip(tr("Without the weights the rest of the run fills the graph"));
    connect(m_weights, &QCheckBox::toggled, this, [this](bool shown) {
        const Weights weights = shown ? Weights::Shown : Weights::Hidden;
        m_graph->setWeights(weights);
        showFigures();
        Q_EMIT weightsChanged(weights);
    });
    m_peak->setObjectName(QStringLiteral("peakButton"));
    m_peak->setToolTip(
        tr("Every tensor that was alive at the highest moment (Ctrl+Shift+P); a click "
           "on the curve looks into another moment"));
    connect(m_peak, &QPushButton::clicked, this, &MemoryPanel::choosePeak);
    connect(m_graph, &MemoryGraph::momentClicked, this, &MemoryPanel::chooseMoment);
    connect(m_graph, &MemoryGraph::peakClicked, this, &MemoryPanel::choosePeak);
    connect(m_graph, &QCustomPlot::afterReplot, this, &MemoryPanel::alignStrip);
    refresh();
}

void MemoryPanel::begin() {
    m_series.clear();
    m_stages.clear();
    m_prediction.reset();
    m_graph->resetZoom();
    refresh();
}

void MemoryPanel::add(const std::vector<MemorySample>& samples) {
    for (const MemorySample& sample : samples)
        if (m_series.isEmpty() || sample.device == m_series.samples().front().device)
            m_series.add(sample);
    refresh();
}

void MemoryPanel::beginStage(Stage stage, double tMs) {
    m_stages.begin(stage, tMs);
    refresh();
}

void MemoryPanel::endStage(const StageEnded& ended, double tMs) {
    m_stages.end(ended, tMs);
    refresh();
}

void MemoryPanel::end(double tMs) {
    m_stages.endAll(tMs);
    refresh();
}

void MemoryPanel::setPrediction(std::int64_t extraPeakBytes) {
    m_prediction = extraPeakBytes;
    showFigures();
}

void MemoryPanel::setWeights(Weights weights) {
    m_weights->setChecked(weights == Weights::Shown);
}

void MemoryPanel::choosePeak() {
    const Weights weights = m_weights->isChecked() ? Weights::Shown : Weights::Hidden;
    if (hasPeak())
        Q_EMIT momentChosen(peakOf(m_series, m_stages, weights));
}

void MemoryPanel::chooseMoment(double tMs) {
    if (hasPeak())
        Q_EMIT momentChosen(momentAt(m_series, m_stages, tMs));
}

void MemoryPanel::refresh() {
    m_graph->refresh();
    m_peak->setEnabled(hasPeak());
    showFigures();
}

void MemoryPanel::showFigures() {
    const Weights weights = m_weights->isChecked() ? Weights::Shown : Weights::Hidden;
    ReadOut figures = readOut(m_series, m_stages, m_hoveredMs, weights);
    if (m_prediction) {
        figures.lines.push_back({tr("Extra peak"), sizeText(m_series.extraPeak())});
        figures.lines.push_back({tr("Predicted"), sizeText(m_prediction)});
    }
    m_readOut->show(figures);
}

void MemoryPanel::alignStrip() {
    const QRect axes = m_graph->axisRect()->rect();
    const QCPRange range = m_graph->xAxis->range();
    m_strip->setAxis(range.lower, range.upper, axes.left(), axes.right() + 1, m_series.lastMs());
}

} // namespace maskscope
