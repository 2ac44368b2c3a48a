// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_store.h"
#include "tests/ui/window_test.h"
#include "ui/convert.h"
#include "ui/history_dialog.h"
#include "ui/replay_bar.h"
#include "ui/run_history.h"

#include <QAction>
#include <QSignalSpy>

namespace maskscope {

/// Base of the tests of past runs: a window with a history.
class HistoryTest : public WindowTest {
    Q_OBJECT
protected:
    std::unique_ptr<RunHistory> m_history;

    void prepareWindow() override {
        m_history = std::make_unique<RunHistory>(database());
        m_window->useHistory(*m_history);
    }
    QAction& action(const char* part) const {
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->text().remove(u'&').contains(QString::fromLatin1(part)))
                return *action;
        qFatal("there is no action %s", part);
    }
    HistoryDialog& dialog() const { return find<HistoryDialog>("historyDialog"); }
    QTableView& table() const { return find<QTableView>("historyTable"); }
    ReplayBar& bar() const { return find<ReplayBar>("replayBar"); }

    std::filesystem::path database() const {
        return toPath(m_folder->filePath(QStringLiteral("data/history.sqlite")));
    }
    void runWords() {
        const QSignalSpy ended(m_window.get(), &MainWindow::runEnded);
        m_window->setRequest(QStringLiteral("cat and cup"));
        m_window->runWhenOpen();
        QTRY_COMPARE(ended.count(), 1);
    }
    void openHistory(int runs) {
        action("History").trigger();
        QTRY_VERIFY(dialog().isVisible());
        QTRY_COMPARE(table().model()->rowCount(), runs);
    }
    void replay() {
        openHistory(1);
        press("historyReplay");
        QTRY_VERIFY(bar().isVisible());
    }
    /// What the window would keep of a run of an hour on a machine that it is not.
    RunRecord foreignRun(double lengthMs) const {
        RunRecord run;
        run.header.started = "2026-11-30T09:45:40Z";
        run.header.machine.processor = "NVIDIA <b>H200";
        run.header.device = "cuda:0";
        run.header.text = "the cat";
        run.header.image = {"/nowhere/cat.jpg", 64, 48, "0123456789abcdef"};
        auto mask = std::make_shared<Mask>(ellipse(64, 48, 30, 20, 9, 9));
        MemorySample low, high;
        low.device = high.device = "cuda:0";
        low.live = 1 << 30;
        high.live = std::int64_t(18) << 30;
        high.tMs = 10;
        auto report = std::make_shared<Report>();
        report->device = "cuda:0";
        report->masks = {mask};
        report->tokens = {1};
        run.events = {{0, 0, StageBegan{Stage::Decode}}, {0, 0, MemoryMeasured{low}},
            {0, 5, TokenProduced{1, "<|mask|>", 0, true}}, {0, 6, MaskProduced{mask}},
            {0, 7, RankMeasured{{7, 1, 5 << 20, 1 << 20}}}, {0, 10, MemoryMeasured{high}},
            {0, lengthMs, StageEnded{Stage::Decode, lengthMs}}, {0, lengthMs, Done{report}}};
        return run;
    }

protected Q_SLOTS:
    void cleanup() {
        WindowTest::cleanup();
        m_history.reset(); // writes what is still to be written
    }
};

} // namespace maskscope
