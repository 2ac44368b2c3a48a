// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_view.h"

#include "core/measure/published.h"
#include "ui/capability_sheet.h"
#include "ui/convert.h"
#include "ui/drawing_column.h"
#include "ui/export_button.h"
#include "ui/figure_table.h"
#include "ui/graph_axis.h"
#include "ui/published_sheet.h"
#include "ui/refusals.h"
#include "ui/sweep_plot.h"

#include <QCheckBox>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace maskscope {

SweepView::SweepView(const LabTools& tools, QWidget* parent)
    : QWidget(parent)
    , m_tools(tools)
    , m_refusals(new Refusals(this))
    , m_plot(new SweepPlot(this))
    , m_logarithmic(new QCheckBox(tr("L&ogarithmic"), this))
    , m_published(new QCheckBox(tr("Pu&blished figures"), this))
    , m_peak(new QPushButton(tr("&What is in the peak…"), this))
    , m_export(new ExportButton(tr("Export the sweep"), QStringLiteral("sweep"),
          {{QStringLiteral("png"), tr("Plot as &PNG…")},
              {QStringLiteral("svg"), tr("Plot as &SVG…")},
              {QStringLiteral("csv"), tr("Points as &CSV…")},
              {QStringLiteral("json"), tr("Points and fits as &JSON…")}},
          this))
    , m_tabs(new QTabWidget(this))
    , m_points(new FigureTable(tr("Points of the sweep")))
    , m_fits(new FigureTable(tr("Fits of the sweep")))
    , m_reference(new FigureTable(tr("Published figures beside this machine's")))
    , m_paths(new FigureTable(tr("What each attention path can"))) {
    setObjectName(QStringLiteral("sweepView"));
    auto* halves = new QSplitter(Qt::Vertical, this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(makeDrawing());
    halves->addWidget(makeTables());
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_refusals);
    layout->addWidget(halves, 1);

    connect(m_logarithmic, &QCheckBox::toggled, this,
        [this](bool on) { m_plot->setScale(on ? ByteScale::Logarithmic : ByteScale::Linear); });
    connect(m_published, &QCheckBox::toggled, this, [this](bool on) {
        m_plot->setPublished(on ? PublishedCurve::Shown : PublishedCurve::Hidden);
        if (on)
            m_tabs->setCurrentWidget(m_reference);
    });
    connect(m_plot, &SweepPlot::pointClicked, this, &SweepView::pointChosen);
    connect(m_peak, &QPushButton::clicked, this, &SweepView::choosePoint);
    connect(m_points, &QTableWidget::activated, this, &SweepView::choosePoint);
    connect(m_points, &QTableWidget::currentCellChanged, this, &SweepView::updatePeak);
    connect(m_tabs, &QTabWidget::currentChanged, this, &SweepView::updatePeak);
    updatePeak();
    connect(m_export, &ExportButton::written, this, &SweepView::written);
    connect(m_export, &ExportButton::failed, this, &SweepView::failed);
}

QWidget* SweepView::makeDrawing() {
    m_logarithmic->setObjectName(QStringLiteral("logarithmicBox"));
    m_logarithmic->setToolTip(tr("Shows small and large paths at the same time"));
    m_published->setObjectName(QStringLiteral("publishedBox"));
    m_published->setToolTip(tr("Draws the reference's figures too: %1, not this machine")
                                .arg(toQString(kPublishedDevice)));
    m_export->setObjectName(QStringLiteral("exportButton"));
    m_export->setTip(tr("Write the sweep into a file: the same that the command line writes"));
    m_peak->setObjectName(QStringLiteral("pointPeakButton"));
    return new DrawingColumn({m_logarithmic, m_published}, {m_peak, m_export}, m_plot, this);
}

QWidget* SweepView::makeTables() {
    m_tabs->setObjectName(QStringLiteral("labTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Tables of the sweep"));
    m_tabs->tabBar()->setAccessibleName(tr("Tables of the sweep"));
    m_points->setObjectName(QStringLiteral("pointTable"));
    m_fits->setObjectName(QStringLiteral("fitTable"));
    m_reference->setObjectName(QStringLiteral("publishedTable"));
    m_tabs->addTab(m_points, tr("Points"));
    m_tabs->addTab(m_fits, tr("Fits"));
    m_paths->setObjectName(QStringLiteral("capabilityTable"));
    m_tabs->addTab(m_reference, tr("Published"));
    m_tabs->addTab(m_paths, tr("Paths"));
    return m_tabs;
}

void SweepView::setRecord(const SweepRecord& record, const std::optional<SweepPlace>& running) {
    m_record = record;
    m_running = running;
    m_export->setWrite(nullptr);
    if (m_tools.write && !record.points.empty())
        m_export->setWrite([record, write = m_tools.write](
                               const std::filesystem::path& file) { write(record, file); });
    showSheets();
}

void SweepView::setMachine(const MachineInfo& machine) {
    m_machine = machine;
    m_paths->setSheet(capabilitySheet(machine.attention));
    showSheets();
}

void SweepView::setModel(const ModelDescription& model) {
    m_model = model;
    showSheets();
}

void SweepView::showSheets() {
    m_plot->setRecord(m_record, m_machine.threads);
    m_points->setSheet(pointSheet(m_record, m_machine.threads, m_running));
    m_fits->setSheet(fitSheet(m_record));
    m_reference->setSheet(publishedSheet(m_record, m_machine, m_model));
    updatePeak();
}

std::optional<SweepPlace> SweepView::currentPoint() const {
    if (m_tabs->currentWidget() == m_points)
        if (const auto point = measuredPoint(m_record, m_points->currentRow()))
            return point;
    const auto highest = std::ranges::max_element(
        m_record.points, {}, [](const SweepPoint& point) { return point.figures.extraPeakBytes; });
    return highest == m_record.points.end()
        ? std::nullopt
        : std::optional(SweepPlace{highest->path, highest->patches});
}

void SweepView::choosePoint() {
    if (const auto point = currentPoint())
        Q_EMIT pointChosen(*point);
}

void SweepView::updatePeak() {
    const auto point = currentPoint();
    m_peak->setEnabled(point.has_value());
    m_peak->setToolTip(point
            ? tr("Every tensor that is alive at the peak of %1 over %2 patches; another point is "
                 "chosen in the table, or by a click on it in the plot")
                  .arg(toQString(nameOf(point->path)), countText(point->patches))
            : tr("No point was measured yet: run the sweep first"));
}

} // namespace maskscope
