// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab_tools.h"
#include "ui/session.h"
#include "ui/sweep_sheets.h"

#include <QWidget>
#include <optional>

class QCheckBox;
class QPushButton;
class QTabWidget;

namespace maskscope {

class ExportButton;
class FigureTable;
class Refusals;
class SweepPlot;

/// A sweep as it stands: where memory ended, plot, tables, export.
class SweepView : public QWidget {
    Q_OBJECT
public:
    /// The tools outlive it.
    explicit SweepView(const LabTools& tools, QWidget* parent = nullptr);

    void setRecord(const SweepRecord& record, const std::optional<SweepPlace>& running);
    /// What the paths can here, and with how many threads it predicts.
    void setMachine(const MachineInfo& machine);
    /// Whose mask pass stands beside the published one.
    void setModel(const ModelDescription& model);
    Refusals& refusals() { return *m_refusals; }

Q_SIGNALS:
    void written(const QString& file);
    void failed(const maskscope::Error& error);
    /// A measured point is to be looked into.
    void pointChosen(const maskscope::SweepPlace& point);

private:
    QWidget* makeDrawing();
    QWidget* makeTables();
    void showSheets();
    std::optional<SweepPlace> currentPoint() const;
    void choosePoint();
    void updatePeak();

    const LabTools& m_tools;
    Refusals* m_refusals;
    SweepPlot* m_plot;
    QCheckBox* m_logarithmic;
    QCheckBox* m_published;
    QPushButton* m_peak;
    ExportButton* m_export;
    QTabWidget* m_tabs;
    FigureTable* m_points;
    FigureTable* m_fits;
    FigureTable* m_reference;
    FigureTable* m_paths;
    SweepRecord m_record;
    std::optional<SweepPlace> m_running;
    MachineInfo m_machine;
    ModelDescription m_model;
};

} // namespace maskscope
