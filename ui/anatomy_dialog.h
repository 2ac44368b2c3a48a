// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/anatomy_job.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace maskscope {

class ExportButton;
class FigureTable;
class RunButton;

/// Every tensor that is alive at one moment of a run. To see them the run is done again in a
/// process of its own, which takes a while and can be stopped.
class AnatomyDialog : public QDialog {
    Q_OBJECT
public:
    AnatomyDialog(TakeAnatomy take, QWidget* parent);
    ~AnatomyDialog() override;

    /// Shows itself and looks; what it looked into before is stopped. `what` says to the person
    /// what is looked into; text is data. `runMs` is how long that run took, 0 where nobody knows.
    void look(const AnatomyQuestion& question, const QString& what, double runMs);
    AnatomyJob::State state() const { return m_job.state(); }

protected:
    void done(int result) override;

private:
    QWidget* makeButtons();
    void connectJob();
    void start();
    void tell(const QString& text);
    void tellProgress();
    void showAnatomy(const std::shared_ptr<const Anatomy>& anatomy);

    std::optional<AnatomyQuestion> m_question;
    bool m_again = false; // once what runs has stopped
    bool m_told = false; // what became of it
    std::optional<Stage> m_stage; // that the second run is at
    QElapsedTimer m_sinceStart;
    QTimer m_second; // while it looks
    double m_runMs = 0;
    QLabel* m_what;
    QLabel* m_sentence;
    RunButton* m_run;
    QProgressBar* m_progress;
    QLabel* m_text;
    FigureTable* m_table;
    QPushButton* m_copy;
    ExportButton* m_export;
    AnatomyJob m_job;
};

} // namespace maskscope
