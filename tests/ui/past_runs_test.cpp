// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs in the window: what is kept, what is shown of it, and how it is played again.
#include "core/history/run_file.h"
#include "core/history/run_store.h"
#include "tests/ui/window_test.h"
#include "ui/colours.h"
#include "ui/compare_page.h"
#include "ui/compare_plot.h"
#include "ui/convert.h"
#include "ui/figure_table.h"
#include "ui/history_dialog.h"
#include "ui/replay_bar.h"
#include "ui/result_view.h"
#include "ui/run_history.h"

#include <QAction>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTabWidget>

using namespace std::chrono_literals;

namespace maskscope {

class PastRunsTest : public WindowTest {
    Q_OBJECT

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

private Q_SLOTS:
    void cleanup() {
        WindowTest::cleanup();
        m_history.reset(); // writes what is still to be written
    }

    void keepsEveryRunAsItWas() {
        openImage(QStringLiteral("a.png"));
        runWords();
        openHistory(1);
        QVERIFY(m_model->requests().back().settings.logits == LogitRecord::Digests);
        const auto row
            = [&](int column) { return table().model()->index(0, column).data().toString(); };
        QCOMPARE(row(HistoryModel::Asked), QStringLiteral("“cat and cup”"));
        QCOMPARE(row(HistoryModel::Picture), QStringLiteral("a.png"));
        QCOMPARE(row(HistoryModel::Device), QStringLiteral("Some CPU (cpu)"));
        QCOMPARE(row(HistoryModel::Outcome), QStringLiteral("finished"));
        const RunRecord kept = RunStore(database()).load(1);
        QCOMPARE(kept.header.modelName, std::string("lens-small"));
        QCOMPARE(kept.header.image.digest,
            digestOf(toImage(QImage(m_folder->filePath(QStringLiteral("a.png"))))));
        QCOMPARE(reportOf(kept)->answer, std::string("The cat <|mask|> sits by a cup <|mask|>."));
        QCOMPARE(extraPeakOf(kept), FakeModel::kVisionPeak);
    }

    void keepsNothingWhenSwitchedOff() {
        openImage(QStringLiteral("a.png"));
        action("Keep runs").trigger();
        QVERIFY(m_settings->runRecording() == RunRecording::Off);
        runWords();
        QVERIFY(m_model->requests().back().settings.logits == LogitRecord::Off);
        openHistory(0);
        QTRY_VERIFY(find<QLabel>("historyMessage").text().contains(QStringLiteral("No run")));
        QVERIFY(!std::filesystem::exists(database()));
    }

    void keepsRunsThatFailOrAreStopped() {
        FakeAnswer failing;
        failing.failure = Error{ErrorKind::Memory, "Too much."};
        m_model->setAnswer(failing);
        openImage(QStringLiteral("a.png"));
        runWords();
        FakeAnswer slow;
        slow.perToken = 200ms;
        m_model->setAnswer(slow);
        m_window->runWhenOpen();
        QTRY_VERIFY(maskCount() == 1);
        m_session->stop();
        QTRY_VERIFY(isIdle());
        openHistory(2);
        QCOMPARE(table().model()->index(0, HistoryModel::Outcome).data().toString(),
            QStringLiteral("stopped"));
        QCOMPARE(table().model()->index(1, HistoryModel::Outcome).data().toString(),
            QStringLiteral("failed"));
    }

    void replaysOverTheSamePicture() {
        openImage(QStringLiteral("a.png"));
        runWords();
        openImage(QStringLiteral("b.png"));
        QCOMPARE(maskCount(), 0);
        replay();
        QTRY_VERIFY(isIdle());
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("a.png")));
        QVERIFY(bar().label().startsWith(QStringLiteral("Replay: Some CPU (cpu), ")));
        QVERIFY(bar().note().isEmpty());
        QCOMPARE(answer().answer(), QStringLiteral("The cat <|mask|> sits by a cup <|mask|>."));
        QCOMPARE(maskCount(), 2);
        QCOMPARE(memory().series().peak()->live, FakeModel::kWeights + FakeModel::kVisionPeak);
        QCOMPARE(m_model->requests().size(), std::size_t(1)); // nothing was computed
        press("replayEnd");
        QVERIFY(!bar().isVisible());
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("b.png")));
        QCOMPARE(maskCount(), 0);
        openHistory(1); // a replay is not kept again
    }

    void replaysAForeignRunOverAnEmptyPicture() {
        RunStore(database()).add(foreignRun(400));
        replay();
        QCOMPARE(m_session->state(), Session::State::Running);
        QVERIFY(bar().label().contains(QStringLiteral("NVIDIA <b>H200 (cuda:0)")));
        QVERIFY(bar().note().contains(QStringLiteral("/nowhere/cat.jpg")));
        QElapsedTimer timer;
        timer.start();
        QTRY_VERIFY(isIdle());
        QVERIFY2(timer.elapsed() > 200, "it was not played at its own pace");
        QCOMPARE(maskCount(), 1);
        QCOMPARE(memory().series().peak()->live, std::int64_t(18) << 30);
        QCOMPARE(memory().ranks().lanes().at(1).peak, std::int64_t(5) << 20);
        press("replayEnd");
        QVERIFY(!find<Canvas>("canvas").isVisible()); // the start page, as before
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Maskscope"));
    }

    void noticesThatAPictureHasChanged() {
        openImage(QStringLiteral("a.png"));
        runWords();
        file(QStringLiteral("a.png"), Qt::red);
        replay();
        QTRY_VERIFY(isIdle());
        QVERIFY(bar().note().contains(QStringLiteral("a.png")));
    }

    void stopsALongReplayByShowingItsEnd() {
        RunStore(database()).add(foreignRun(3'600'000));
        replay();
        QTRY_COMPARE(maskCount(), 1);
        QCOMPARE(m_session->state(), Session::State::Running);
        m_session->stop();
        QVERIFY(isIdle());
        QVERIFY(m_window->findChild<StatusLine*>()->text().startsWith(QStringLiteral("Done in")));
        press("replayAgain");
        QCOMPARE(m_session->state(), Session::State::Running);
        press("replayEnd");
        QVERIFY(isIdle());
        QVERIFY(!m_session->isBusy());
    }

    void aRunWaitsUntilTheReplayIsEnded() {
        RunStore(database()).add(foreignRun(20));
        openImage(QStringLiteral("b.png"));
        replay();
        QTRY_VERIFY(isIdle());
        m_window->setRequest(QStringLiteral("cup"));
        m_window->runWhenOpen();
        QVERIFY(message().text().contains(QStringLiteral("replay of a past run")));
        QVERIFY(m_model->requests().empty());
        press("messageStep");
        QVERIFY(!bar().isVisible());
        runWords();
        QCOMPARE(m_model->requests().size(), std::size_t(1));
        openHistory(2);
    }

    void openingAPictureLeavesTheReplay() {
        RunStore(database()).add(foreignRun(3'600'000));
        replay();
        openImage(QStringLiteral("b.png"));
        QVERIFY(!bar().isVisible());
        QVERIFY(isIdle());
        runWords();
    }

    void tellsThatARunWasNeverEnded() {
        RunRecord run = foreignRun(20);
        run.events.pop_back();
        RunStore(database()).add(run);
        replay();
        QTRY_VERIFY(isIdle());
        QVERIFY(message().text().contains(QStringLiteral("ended before this run did")));
    }

    void replaysClicksAndBoxes() {
        RunRecord run = foreignRun(20);
        run.header.text.clear();
        run.header.points = {{20, 10, PointSign::Positive}, {40, 30, PointSign::Negative}};
        RunStore(database()).add(run);
        replay();
        QTRY_VERIFY(isIdle());
        const QImage seen = canvas().grab().toImage();
        const auto isNear = [&](const QPoint& at, const QColor& colour) {
            const QColor there = seen.pixelColor(at * seen.devicePixelRatio());
            return std::abs(there.hsvHue() - colour.hsvHue()) < 20 && there.hsvSaturation() > 100;
        };
        // Beside the sign in the middle of the mark.
        QVERIFY(isNear(onCanvas(20, 10) + QPoint(3, 4), positiveColour()));
        QVERIFY(isNear(onCanvas(40, 30) + QPoint(3, 4), negativeColour()));
        press("replayEnd");
        run.header.points.clear();
        run.header.boxes = {{10, 8, 30, 28}};
        run.header.started = "2026-11-30T10:45:40Z"; // the newest is the first row
        RunStore(database()).add(run);
        openHistory(2);
        table().selectRow(0);
        press("historyReplay");
        QTRY_VERIFY(bar().isVisible() && isIdle());
        const QImage boxed = canvas().grab().toImage();
        const QPoint edge = onCanvas(10, 18) * boxed.devicePixelRatio();
        QVERIFY(boxed.pixelColor(edge) != boxed.pixelColor(edge + QPoint(20, 0)));
    }

    void comparesTwoPastRuns() {
        openImage(QStringLiteral("a.png"));
        runWords();
        FakeAnswer other;
        other.pieces = {"A", " cat", " <|mask|>", "."};
        m_model->setAnswer(other);
        runWords();
        openHistory(2);
        QVERIFY(!find<QPushButton>("historyCompare").isEnabled()); // one is selected
        table().selectAll();
        press("historyCompare");
        QTRY_VERIFY(find<ComparePage>("comparePage").isVisible());
        QVERIFY(!dialog().isVisible());
        const FigureTable& figures = find<FigureTable>("compareFigures");
        QCOMPARE(figures.columnCount(), 3);
        QVERIFY(figures.horizontalHeaderItem(1)->text().contains(QStringLiteral("(sdpa)")));
        QVERIFY(figures.horizontalHeaderItem(1)->text() != figures.horizontalHeaderItem(2)->text());
        const auto row = [&](const char* name) {
            for (int i = 0; i < figures.rowCount(); ++i)
                if (figures.item(i, 0)->text() == QString::fromLatin1(name))
                    return QStringList{figures.item(i, 1)->text(), figures.item(i, 2)->text()};
            return QStringList();
        };
        QCOMPARE(row("masks"), (QStringList{QStringLiteral("2"), QStringLiteral("1")}));
        const QString verdict = find<QLabel>("compareVerdicts").text();
        QVERIFY2(verdict.contains(QStringLiteral("token")), qPrintable(verdict));
        const auto& plot = find<ComparePlot>("comparePlot");
        QVERIFY(!plot.graph(0)->data()->isEmpty() && !plot.graph(1)->data()->isEmpty());
        QCOMPARE(m_model->requests().size(), std::size_t(2)); // nothing was run
        QVERIFY(!find<MessageBar>("compareMessages").isVisible());
    }

    void comparesRunsOfDifferentPictures() {
        RunStore(database()).add(foreignRun(20));
        openImage(QStringLiteral("a.png"));
        runWords();
        openHistory(2);
        table().selectAll();
        press("historyCompare");
        QTRY_VERIFY(find<ComparePage>("comparePage").isVisible());
        QVERIFY(find<MessageBar>("compareMessages")
                    .text()
                    .contains(QStringLiteral("different pictures")));
        find<QTabWidget>("compareTabs").setCurrentIndex(1); // the outputs, one beside the other
        QVERIFY(!find<ResultView>("resultView").grab().isNull());
    }

    void exportsImportsFindsAndDeletes() {
        RunStore(database()).add(foreignRun(20));
        openHistory(1);
        const QString target = m_folder->filePath(QStringLiteral("h200.maskrun"));
        dialog().exportTo(target);
        QTRY_VERIFY(find<QLabel>("historyMessage").text().contains(target));
        QCOMPARE(linesOf(readRunFile(toPath(target))), linesOf(foreignRun(20)));
        m_history->importRun(target);
        QTRY_COMPARE(table().model()->rowCount(), 2);
        m_history->importRun(file(QStringLiteral("a.png")));
        QTRY_VERIFY(find<QLabel>("historyMessage").text().contains(QStringLiteral("a.png")));
        find<QLineEdit>("historyFind").setText(QStringLiteral("zebra"));
        QCOMPARE(table().model()->rowCount(), 0);
        QVERIFY(!find<QPushButton>("historyReplay").isEnabled());
        find<QLineEdit>("historyFind").setText(QStringLiteral("h200"));
        QCOMPARE(table().model()->rowCount(), 2);
        table().selectAll();
        press("historyDelete");
        auto& box = find<QMessageBox>("historyConfirm");
        QTRY_VERIFY(box.isVisible());
        for (QAbstractButton* button : box.buttons())
            if (box.buttonRole(button) == QMessageBox::DestructiveRole)
                button->click();
        QTRY_COMPARE(table().model()->rowCount(), 0);
    }

    void tellsThatTheHistoryIsDamaged() {
        std::filesystem::create_directories(database().parent_path());
        QFile damaged(toQString(database().string()));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write(QByteArray(5000, 'x'));
        damaged.close();
        openImage(QStringLiteral("a.png"));
        runWords();
        QTRY_VERIFY(message().text().contains(QStringLiteral("damaged")));
        QCOMPARE(maskCount(), 2); // the run is there all the same
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(PastRunsTest)
#include "past_runs_test.moc"
