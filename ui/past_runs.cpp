// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/past_runs.h"

#include "ui/actions.h"
#include "ui/convert.h"
#include "ui/history_dialog.h"
#include "ui/message_bar.h"
#include "ui/replay_stage.h"
#include "ui/run_history.h"
#include "ui/run_keeper.h"
#include "ui/workspace.h"

#include <QAction>
#include <utility>

namespace maskscope {

PastRuns::PastRuns(const Window& window, RunHistory& history, ImageReader reader)
    : QObject(&window.widget)
    , m_settings(window.settings)
    , m_workspace(window.workspace)
    , m_history(history)
    , m_reader(std::move(reader))
    , m_replay(new ReplayStage(window.session, window.workspace, m_reader, this)) {
    new RunKeeper(window.session, window.settings, window.workspace, history, this);
    auto* dialog = new HistoryDialog(history, &window.widget);
    connect(dialog, &HistoryDialog::replayRequested, m_replay, &ReplayStage::play);
    connect(dialog, &HistoryDialog::comparisonRequested, this, &PastRuns::compare);
    connect(m_replay, &ReplayStage::pictureChosen, this, &PastRuns::pictureChosen);
    connect(m_replay, &ReplayStage::shown, this, &PastRuns::replayShown);
    connect(m_replay, &ReplayStage::left, this, &PastRuns::replayLeft);
    connect(&history, &RunHistory::failed, dialog, [this, dialog](const Error& error) {
        if (!dialog->isVisible())
            m_workspace.messages().showMessage(MessageBar::Kind::Error, toQString(error.sentence));
    });

    const Actions& actions = window.actions;
    actions.history->setEnabled(true);
    actions.keepRuns->setEnabled(true);
    actions.keepRuns->setChecked(m_settings.runRecording() == RunRecording::On);
    connect(actions.history, &QAction::triggered, dialog, &QDialog::show);
    connect(actions.history, &QAction::triggered, dialog, &QDialog::activateWindow);
    connect(actions.keepRuns, &QAction::toggled, this,
        [this](bool on) { m_settings.setRunRecording(on ? RunRecording::On : RunRecording::Off); });
}

void PastRuns::compare(
    const std::shared_ptr<const RunRecord>& first, const std::shared_ptr<const RunRecord>& second) {
    m_background.run([first, second, reader = m_reader] { return pairOf(*first, *second, reader); },
        [this](const PastPair& pair) { Q_EMIT pairChosen(pair); });
}

bool PastRuns::prepare(RunSettings& settings) {
    if (m_replay->isActive()) {
        m_workspace.messages().showMessage(MessageBar::Kind::Note,
            tr("This is a replay of a past run: end it to run anew."),
            {{tr("End replay"), [this] { m_replay->end(); }}});
        return false;
    }
    if (m_settings.runRecording() == RunRecording::On)
        settings.logits = LogitRecord::Digests;
    return true;
}

void PastRuns::keep(const std::shared_ptr<const std::vector<ComparedRuns>>& compared,
    const std::shared_ptr<const Picture>& picture) {
    if (m_settings.runRecording() == RunRecording::Off)
        return;
    for (const ComparedRuns& runs : *compared) {
        RunRecord record = runs.first();
        record.header.title = toStdString(tr("compared as %1").arg(toQString(runs.header.title)));
        if (record.header.started.empty()) // it failed before it could tell
            record.header.started = utcNow();
        m_history.add(std::move(record), picture->image);
    }
}

void PastRuns::leaveReplay() {
    m_replay->leave();
}

} // namespace maskscope
