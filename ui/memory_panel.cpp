// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_panel.h"

#include "ui/memory_graph.h"
#include "ui/read_out.h"
#include "ui/stage_strip.h"

#include <QGridLayout>

namespace maskscope {

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent)
    , m_strip(new StageStrip(m_stages, this))
    , m_graph(new MemoryGraph(m_series, m_stages, this))
    , m_readOut(new ReadOutView(this)) {
    setObjectName(QStringLiteral("memoryPanel"));
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip, 0, 0);
    layout->addWidget(m_graph, 1, 0);
    layout->addWidget(m_readOut, 0, 1, 2, 1);
    layout->setColumnStretch(0, 1);
    layout->setRowStretch(1, 1);

    connect(m_graph, &MemoryGraph::hoveredAt, this, [this](std::optional<double> tMs) {
        m_hoveredMs = tMs;
        m_readOut->show(readOut(m_series, m_stages, m_hoveredMs));
    });
    connect(m_graph, &QCustomPlot::afterReplot, this, &MemoryPanel::alignStrip);
    refresh();
}

void MemoryPanel::begin() {
    m_series.clear();
    m_stages.clear();
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

void MemoryPanel::refresh() {
    m_graph->refresh();
    m_readOut->show(readOut(m_series, m_stages, m_hoveredMs));
}

void MemoryPanel::alignStrip() {
    const QRect axes = m_graph->axisRect()->rect();
    const QCPRange range = m_graph->xAxis->range();
    m_strip->setAxis(range.lower, range.upper, axes.left(), axes.right() + 1, m_series.lastMs());
}

} // namespace maskscope
