// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace maskscope {

class RunButton;

/// The left side of a page that measures: a form that scrolls, below it what is asked, the button
/// that starts and stops, progress, and a sentence on what is going on.
class RunSide : public QWidget {
    Q_OBJECT
public:
    struct Texts {
        QString form; ///< what the form is, for screen readers
        QString runTip;
        QString stopTip;
        QString progress; ///< what the progress is of, for screen readers
    };

    /// Takes the form over. `name` begins the names of its parts: "sweepButton", "sweepText".
    RunSide(QWidget* form, const QString& name, const Texts& texts, QWidget* parent = nullptr);

    /// The form can be changed while nothing runs.
    void setState(Session::State state);
    /// Whether there is something to be started.
    void setReady(bool ready);
    void setQuestion(const QString& text);
    void setProgress(double fraction);
    void setText(const QString& text);
    void focusButton();

Q_SIGNALS:
    void runRequested();
    void stopRequested();

private:
    QWidget* m_form;
    QLabel* m_question;
    RunButton* m_run;
    QProgressBar* m_progress;
    QLabel* m_text;
};

} // namespace maskscope
