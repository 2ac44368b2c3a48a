// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/anatomy_process.h"
#include "ui/background.h"
#include "ui/lab_tools.h"
#include "ui/picture.h"
#include "ui/sweep_job.h"
#include "ui/sweep_sheets.h"
#include "ui/window_page.h"

#include <QElapsedTimer>
#include <optional>

namespace maskscope {

class MessageBar;
class RunSide;
class SizePlanner;
class SweepForm;
class SweepView;

/// What each attention path costs: foretold for a size, measured by a sweep, and the published
/// figures beside it.
class LabPage : public WindowPage {
    Q_OBJECT
public:
    explicit LabPage(LabTools tools, QWidget* parent = nullptr);
    ~LabPage() override;

    void run() override;
    void stop() override;
    SweepJob::State state() const override { return m_job.state(); }
    void showError(const Error& error) override;
    const SweepRecord& record() const { return m_record; }
    void setModel(const ModelDescription& model);
    /// That of the segmentation page, whose shape decides how many patches a size has; may be null.
    void setPicture(const std::shared_ptr<const Picture>& picture);
    /// The path that the segmentation page runs on.
    void setRunPath(AttentionPath path);
    void showNote(const QString& sentence);

Q_SIGNALS:
    /// For the segmentation page: RunSettings::pixels.
    void pixelsChosen(qint64 pixels);
    /// A point's peak is to be looked into: see AnatomyDialog::look().
    void anatomyWanted(
        const maskscope::AnatomyQuestion& question, const QString& what, double runMs);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void connectJob();
    void connectParts();
    void lookAtMachine();
    void foretell();
    void runWith(const SweepPlan& plan);
    void lookInto(const SweepPlace& point);
    void tellRefusal(const SweepEnd& end);
    void finish();
    void refresh();
    std::int64_t limit() const;

    LabTools m_tools;
    MachineInfo m_machine;
    SweepRecord m_record;
    std::optional<SweepPlace> m_running;
    QElapsedTimer m_sinceStart;
    MessageBar* m_messages;
    SizePlanner* m_planner;
    SweepForm* m_form;
    RunSide* m_side;
    SweepView* m_view;
    Background m_background;
    SweepJob m_job; // last: its thread uses m_tools
};

} // namespace maskscope
