// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs in the window: what is kept, and what is shown of it.
#include "core/history/run_file.h"
#include "tests/ui/fake_compare.h"
#include "tests/ui/history_test.h"
#include "ui/compare_form.h"
#include "ui/compare_page.h"
#include "ui/compare_plot.h"
#include "ui/figure_table.h"
#include "ui/pair_view.h"
#include "ui/result_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QTabWidget>

using namespace std::chrono_literals;

namespace maskscope {

class PastRunsTest : public HistoryTest {
    Q_OBJECT

    WindowTools tools() const override {
        WindowTools tools = HistoryTest::tools();
        tools.compare.run = fakeRuns(m_model, std::make_shared<const Image>(gradient(320, 240)));
        return tools;
    }
    void thePairIsToldInPlaceOfTheForm() {
        auto& pair = find<PairView>("pairView");
        QVERIFY(pair.isVisible());
        QVERIFY(!find<CompareForm>("compareForm").isVisible());
        QVERIFY(!find<QPushButton>("compareButton").isEnabled());
        const QString details = pair.findChild<QLabel*>(QStringLiteral("pairDetails"))->text();
        QVERIFY2(details.startsWith(QStringLiteral("“cat and cup”\na.png\nsdpa, ")),
            qPrintable(details));
        press("pairBack");
        QVERIFY(!pair.isVisible());
        QVERIFY(find<CompareForm>("compareForm").isVisible());
        QVERIFY(find<QPushButton>("compareButton").isEnabled());
        QCOMPARE(find<FigureTable>("compareFigures").rowCount(), 0);
    }

private Q_SLOTS:
    void keepsEveryRunAsItWas() {
        openImage(QStringLiteral("a.png"));
        runWords();
        openHistory(1);
        QVERIFY(m_model->requests().back().settings.logits == LogitRecord::Digests);
        const auto row
            = [&](int column) { return table().model()->index(0, column).data().toString(); };
        QCOMPARE(row(HistoryModel::Asked), QStringLiteral("“cat and cup”"));
        QCOMPARE(row(HistoryModel::Picture), QStringLiteral("a.png"));
        QCOMPARE(row(HistoryModel::Cache), QStringLiteral("on"));
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
        QCOMPARE(figures.horizontalHeaderItem(1)->text(), QStringLiteral("sdpa, run 1"));
        QCOMPARE(figures.horizontalHeaderItem(2)->text(), QStringLiteral("sdpa, run 2"));
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
        thePairIsToldInPlaceOfTheForm();
    }

    void keepsTheRunsOfAComparison() {
        openImage(QStringLiteral("a.png"));
        m_window->setRequest(QStringLiteral("cat and cup"));
        action("Compare").trigger();
        press("compareButton");
        QTRY_VERIFY(find<FigureTable>("compareFigures").rowCount() > 0);
        openHistory(2);
        QStringList asked;
        for (int row : {0, 1})
            asked += table().model()->index(row, HistoryModel::Asked).data().toString();
        asked.sort();
        QCOMPARE(asked,
            (QStringList{QStringLiteral("“cat and cup” · compared as mha"),
                QStringLiteral("“cat and cup” · compared as sdpa")}));
        dialog().close();
        action("Keep runs").trigger();
        press("compareButton");
        auto& page = find<ComparePage>("comparePage");
        QTRY_VERIFY(page.state() == CompareJob::State::Idle);
        QSignalSpy listed(m_history.get(), &RunHistory::listed);
        m_history->refresh(); // after what would be kept
        QVERIFY(listed.wait());
        QCOMPARE(table().model()->rowCount(), 2);
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
        QVERIFY(QTest::qWaitForWindowActive(&dialog()));
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Delete);
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
