// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/background.h"
#include "ui/past_pair.h"
#include "ui/session.h"
#include "ui/settings.h"

#include <QObject>
#include <QWidget>
#include <memory>

namespace maskscope {

class Actions;
class ReplayStage;
class RunHistory;
class Workspace;

/// All that the window has to do with past runs: it keeps new ones, shows the history, replays and
/// compares.
class PastRuns : public QObject {
    Q_OBJECT
public:
    /// What a window has that shows them. All of it outlives this.
    struct Window {
        QWidget& widget;
        Session& session;
        Settings& settings;
        Workspace& workspace;
        Actions& actions;
    };

    PastRuns(const Window& window, RunHistory& history, ImageReader reader);

    /// Before a run: adds what it is to tell so that it can be compared later. False, with a note
    /// that says why, while a replay is shown.
    bool prepare(RunSettings& settings);
    /// Another picture takes a replay's place.
    void leaveReplay();
    /// Keeps the first run of each configuration, unless the person has switched that off.
    void keep(const std::shared_ptr<const std::vector<ComparedRuns>>& compared,
        const std::shared_ptr<const Picture>& picture);

Q_SIGNALS:
    /// As ReplayStage::pictureChosen.
    void pictureChosen(const std::shared_ptr<const maskscope::Picture>& picture);
    /// As those of ReplayStage.
    void replayShown(const maskscope::RunSettings& settings);
    void replayLeft();
    /// Two runs of the history are to be compared.
    void pairChosen(const maskscope::PastPair& pair);

private:
    void compare(const std::shared_ptr<const RunRecord>& first,
        const std::shared_ptr<const RunRecord>& second);

    Settings& m_settings;
    Workspace& m_workspace;
    RunHistory& m_history;
    ImageReader m_reader;
    ReplayStage* m_replay;
    Background m_background; // last: its thread uses the reader
};

} // namespace maskscope
