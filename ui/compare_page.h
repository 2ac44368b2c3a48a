// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/anatomy_process.h"
#include "ui/background.h"
#include "ui/compare_job.h"
#include "ui/compare_tools.h"
#include "ui/compose.h"
#include "ui/past_pair.h"
#include "ui/run_moment.h"
#include "ui/run_question.h"
#include "ui/window_page.h"

#include <functional>
#include <memory>

class QPushButton;

namespace maskscope {

class CompareForm;
class ComparePlot;
class CompareResults;
class ExportButton;
class MessageBar;
class PairView;
class RunSide;

/// The same request in two to four ways, each in a process of its own: their memory on one time
/// axis while they run, then figures, verdicts and outputs.
class ComparePage : public WindowPage {
    Q_OBJECT
public:
    explicit ComparePage(CompareTools tools, QWidget* parent = nullptr);
    ~ComparePage() override;

    /// What the segmentation page asks for now.
    void setAsk(const Ask& ask);
    void setModel(const ModelDescription& model);
    void run() override;
    void stop() override;
    CompareJob::State state() const override { return m_job.state(); }
    void showError(const Error& error) override;
    /// Past runs in place of those shown, unless some are running.
    void showPast(const PastPair& pair);

Q_SIGNALS:
    /// A comparison has come to its end.
    void measured(const std::shared_ptr<const std::vector<maskscope::ComparedRuns>>& compared,
        const std::shared_ptr<const maskscope::Picture>& picture);
    /// A moment of a run is to be looked into: see AnatomyDialog::look().
    void anatomyWanted(
        const maskscope::AnatomyQuestion& question, const QString& what, double runMs);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeForm();
    QWidget* makeDrawing();
    QPushButton* makePeaks();
    void fillPeaks();
    void lookInto(int configuration, const std::function<AnatomyMoment(const RunCurve&)>& moment);
    void lookIntoPeak(int configuration);
    void offerRemedies();
    /// Once more with one row or, for another size, all rows changed.
    void runInstead(int configuration, const RunSettings& settings);
    void connectJob();
    Result<RunHeader> question();
    void clearRuns();
    bool showsPast() const;
    void leavePast();
    void showRuns(const std::shared_ptr<const std::vector<ComparedRuns>>& compared,
        const std::shared_ptr<const Picture>& picture);

    CompareTools m_tools;
    ModelDescription m_model;
    Ask m_ask;
    std::shared_ptr<const Picture> m_picture; // of the runs shown
    std::shared_ptr<const std::vector<ComparedRuns>> m_compared;
    RunQuestion m_question;
    MessageBar* m_messages;
    CompareForm* m_form;
    PairView* m_pair; // in the form's place while past runs are shown
    RunSide* m_side;
    ComparePlot* m_plot;
    CompareResults* m_results;
    QPushButton* m_peaks = nullptr;
    ExportButton* m_export;
    Background m_background;
    ComparisonPlan m_plan; // that runs, or ran last
    CompareJob m_job; // last: its thread uses m_tools
};

} // namespace maskscope
