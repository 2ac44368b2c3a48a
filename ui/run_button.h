// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session.h"

#include <QPushButton>

namespace maskscope {

/// Starts what its page is for and stops it while it runs. Stands out by its colour.
class RunButton : public QPushButton {
    Q_OBJECT
public:
    /// Tool tips for both of what it does.
    RunButton(QString runTip, QString stopTip, QWidget* parent = nullptr);

    /// What it says while nothing runs; "Run" before it is set.
    void setTitle(const QString& title);
    void setState(Session::State state);
    /// Whether there is something to be started.
    void setReady(bool ready);

Q_SIGNALS:
    void runRequested();
    void stopRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void emphasise();

    QString m_title;
    QString m_runTip;
    QString m_stopTip;
    Session::State m_state = Session::State::Idle;
    bool m_ready = false;
};

} // namespace maskscope
