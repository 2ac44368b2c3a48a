// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_panel.h"

#include "ui/figure_table.h"
#include "ui/graph_axis.h"
#include "ui/memory_graph.h"
#include "ui/rank_lanes.h"
#include "ui/read_out.h"
#include "ui/stage_sheet.h"
#include "ui/stage_strip.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace maskscope {

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent)
    , m_strip(new StageStrip(m_stages, this))
    , m_graph(new MemoryGraph(m_series, m_stages, this))
    , m_lanes(new RankLanes(m_ranks, this))
    , m_readOut(new ReadOutView)
    , m_tabs(new QTabWidget(this))
    , m_figures(new FigureTable(tr("Memory of the stages")))
    , m_rankFigures(new FigureTable(tr("Memory of the ring's ranks")))
    , m_weights(new QCheckBox(tr("Show the weights"), this))
    , m_peak(new QPushButton(tr("Peak…"), this)) {
    setObjectName(QStringLiteral("memoryPanel"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip, 0, 0);
    layout->addWidget(m_graph, 1, 0);
    layout->addWidget(m_lanes, 2, 0);
    layout->addWidget(makeFigures(), 0, 1, 3, 1);
    layout->setColumnStretch(0, 1);
    layout->setRowStretch(1, 1);

    connect(m_graph, &MemoryGraph::hoveredAt, this, [this](std::optional<double> tMs) {
        m_hoveredMs = tMs;
        m_lanes->setPointer(tMs);
        showFigures();
    });
    m_weights->setObjectName(QStringLiteral("weightsBox"));
    m_weights->setChecked(true);
    m_weights->setToolTip(tr("Without the weights the rest of the run fills the graph"));
    connect(m_weights, &QCheckBox::toggled, this, [this](bool shown) {
        const Weights weights = shown ? Weights::Shown : Weights::Hidden;
        m_graph->setWeights(weights);
        showFigures();
        Q_EMIT weightsChanged(weights);
    });
    m_peak->setObjectName(QStringLiteral("peakButton"));
    connect(m_peak, &QPushButton::clicked, this, &MemoryPanel::choosePeak);
    connect(m_graph, &MemoryGraph::momentClicked, this, &MemoryPanel::chooseMoment);
    connect(m_graph, &MemoryGraph::peakClicked, this, &MemoryPanel::choosePeak);
    connect(m_graph, &QCustomPlot::afterReplot, this, &MemoryPanel::alignStrip);
    refresh();
    showRanks();
}

QWidget* MemoryPanel::makeFigures() {
    m_tabs->setObjectName(QStringLiteral("memoryTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Figures of the memory"));
    m_tabs->tabBar()->setAccessibleName(m_tabs->accessibleName());
    m_figures->setObjectName(QStringLiteral("stageTable"));
    m_rankFigures->setObjectName(QStringLiteral("rankTable"));
    auto* moment = new QScrollArea; // a ring has more lines than a low panel
    moment->setObjectName(QStringLiteral("momentScroll"));
    moment->setFocusPolicy(Qt::NoFocus);
    moment->setFrameShape(QFrame::NoFrame);
    moment->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    moment->setWidgetResizable(true);
    moment->setWidget(m_readOut);
    m_tabs->addTab(moment, tr("Moment"));
    m_tabs->addTab(m_figures, tr("Stages"));
    m_tabs->addTab(m_rankFigures, tr("Ranks"));
    auto* side = new QWidget(this);
    auto* choices = new QHBoxLayout;
    choices->setContentsMargins(10, 2, 6, 4);
    choices->addWidget(m_weights);
    choices->addStretch(1);
    choices->addWidget(m_peak);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs, 1);
    column->addLayout(choices);
    const int choice
        = m_weights->sizeHint().width() + m_peak->sizeHint().width() + choices->spacing() + 24;
    side->setFixedWidth(std::max(m_readOut->sizeHint().width(), choice));
    return side;
}

void MemoryPanel::begin() {
    m_series.clear();
    m_stages.clear();
    m_ranks.clear();
    m_prediction.reset();
    m_graph->resetZoom();
    refresh();
    showStages();
    showRanks();
}

void MemoryPanel::addRanks(const std::vector<RankSample>& samples) {
    for (const RankSample& sample : samples)
        m_ranks.add(sample);
    showRanks();
    showFigures();
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
    showStages();
}

void MemoryPanel::end(double tMs) {
    if (m_stages.bands().empty()) // refused before it began: what is there is of earlier runs
        m_series.clear();
    m_stages.endAll(tMs);
    refresh();
    showStages();
}

void MemoryPanel::setReport(const Report& report) {
    if (report.predictedPeakBytes > 0)
        m_prediction = report.predictedPeakBytes;
    m_stages.setPredictions(report.predictedExtraPeakBytes);
    m_strip->update();
    showStages();
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
    updatePeak();
    showFigures();
}

void MemoryPanel::updatePeak() {
    if (m_peak->isEnabled() == hasPeak() && !m_peak->toolTip().isEmpty())
        return;
    m_peak->setEnabled(hasPeak());
    m_peak->setToolTip(hasPeak()
            ? tr("Every tensor that was alive at the highest moment (Ctrl+Shift+P); a click on the "
                 "curve looks into another moment")
            : tr("There is no run to look into, or it has not ended yet"));
}

void MemoryPanel::showFigures() {
    const Weights weights = m_weights->isChecked() ? Weights::Shown : Weights::Hidden;
    ReadOut figures = readOut(m_series, m_stages, m_hoveredMs, weights);
    if (!m_ranks.isEmpty())
        figures.lines.push_back({tr("Ranks"), sizeText(m_ranks.liveAt(m_hoveredMs))});
    m_readOut->show(figures);
}

void MemoryPanel::showStages() {
    m_figures->setSheet(stageSheet(m_stages, m_series.extraPeak(), m_prediction));
}

void MemoryPanel::showRanks() {
    m_lanes->refresh();
    m_tabs->setTabVisible(m_tabs->indexOf(m_rankFigures), !m_ranks.isEmpty());
    if (!m_ranks.isEmpty())
        m_rankFigures->setSheet(rankSheet(m_ranks));
}

void MemoryPanel::alignStrip() {
    const QRect axes = m_graph->axisRect()->rect();
    const QCPRange range = m_graph->xAxis->range();
    const TimeAxis axis{
        range.lower, range.upper, double(axes.left()), axes.right() + 1.0, m_series.lastMs()};
    m_strip->setAxis(axis);
    m_lanes->setAxis(axis);
}

} // namespace maskscope
