// SPDX-License-Identifier: GPL-3.0-or-later
// Looking into a moment of a curve: from the memory panel, and the table that comes of it.
#include "ui/anatomy_dialog.h"

#include "tests/ui/window_test.h"
#include "ui/export_button.h"
#include "ui/figure_table.h"
#include "ui/memory_graph.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>

using namespace std::chrono_literals;

namespace maskscope {

class AnatomyDialogTest : public WindowTest {
    Q_OBJECT

    AnatomyDialog& dialog() const { return find<AnatomyDialog>("anatomyDialog"); }
    FigureTable& table() const { return find<FigureTable>("anatomyTable"); }
    QString text(const char* name) const { return find<QLabel>(name).text(); }
    void runWords() {
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
    }
    void waitForTable() const { QTRY_COMPARE(table().rowCount(), 4); }
    const RunAnatomyQuestion& question() const {
        m_asked = m_anatomy->questions();
        return std::get<RunAnatomyQuestion>(m_asked.back());
    }
    mutable std::vector<AnatomyQuestion> m_asked;

private Q_SLOTS:
    void thePeakIsAKeyAway() {
        QVERIFY(!find<QPushButton>("peakButton").isEnabled()); // nothing has run
        runWords();
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(dialog().isVisible());
        waitForTable();
        const RunHeader& run = question().run;
        QCOMPARE(run.text, std::string("cat"));
        QVERIFY(QString::fromStdString(run.image.path).endsWith(QStringLiteral("a.png")));
        QCOMPARE(run.modelFolder, std::string("model"));
        QVERIFY(run.settings.sampling.seed.has_value()); // as the run drew it
        QVERIFY(question().moment.stage == Stage::Vision); // where this model is highest
        QVERIFY(!question().moment.live.has_value());
        QVERIFY(text("anatomyWhat").contains(QStringLiteral("“cat” on a.png: the peak")));
        QVERIFY(text("anatomySentence")
                    .startsWith(QStringLiteral("2 tensors of 16 x 1024 x 1024 fp32 are 128 MiB")));
    }

    void aClickOnTheCurveLooksThere() {
        answerSlowly(20ms); // so that the end is far from the peak
        runWords();
        auto& graph = *m_window->findChild<MemoryGraph*>();
        const MemorySample* last = &memory().series().samples().back();
        graph.replot();
        const QRect axes = graph.axisRect()->rect();
        // Right at the end, where nothing is at its peak.
        const QPoint end(int(graph.pixelAt(last->tMs)) - 2, axes.top() + 3);
        QTest::mouseClick(&graph, Qt::LeftButton, {}, end);
        QTRY_VERIFY(dialog().isVisible());
        waitForTable();
        QVERIFY(question().moment.live.has_value());
        QVERIFY(question().moment.stage.has_value());
        QVERIFY(text("anatomyWhat").contains(QStringLiteral("are live")));
    }

    void aDragZoomsAndLooksIntoNothing() {
        runWords();
        auto& graph = *m_window->findChild<MemoryGraph*>();
        graph.replot();
        const QRect axes = graph.axisRect()->rect();
        const QPoint from(axes.left() + 30, axes.center().y());
        const QPoint to(axes.right() - 60, axes.center().y() + 10);
        QTest::mousePress(&graph, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, graph.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
            Qt::NoModifier);
        QApplication::sendEvent(&graph, &move);
        QTest::mouseRelease(&graph, Qt::LeftButton, {}, to);
        QVERIFY(graph.isZoomed());
        QTest::mouseDClick(&graph, Qt::LeftButton, {}, to);
        QVERIFY(!graph.isZoomed());
        QTest::qWait(QApplication::doubleClickInterval() + 100);
        QVERIFY(m_anatomy->questions().empty());
    }

    void listsAllThatIsAliveMostBytesFirst() {
        runWords();
        memory().choosePeak();
        waitForTable();
        const auto cell = [&](int row, int column) { return table().item(row, column)->text(); };
        QCOMPARE(cell(0, 0), QStringLiteral("bmm"));
        QCOMPARE(cell(0, 1), QStringLiteral("16 x 1024 x 1024"));
        QCOMPARE(cell(0, 5), QStringLiteral("64.0\u00a0MiB"));
        QCOMPARE(cell(0, 7), QStringLiteral("mask/<b>attention"));
        QCOMPARE(cell(2, 0), QStringLiteral("there before the run"));
        QCOMPARE(cell(2, 1), QStringLiteral("Weights"));
        QCOMPARE(cell(2, 6), QStringLiteral("27 %"));
        QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Made by\tShape")));
        QCOMPARE(QApplication::clipboard()->text().count(u'\n'), 5);
        const QString target = m_folder->filePath(QStringLiteral("tensors.csv"));
        find<ExportButton>("anatomyExport").writeTo(target);
        QTRY_VERIFY(text("anatomyText").contains(QStringLiteral("tensors.csv")));
        QFile csv(target);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readAll().contains("\"bmm\",\"16 x 1024 x 1024\",\"fp32\",67108864,1"));
    }

    void canBeStoppedAndAskedAgain() {
        m_anatomy->setTime(60s);
        runWords();
        memory().choosePeak();
        QTRY_VERIFY(text("anatomyText").contains(QStringLiteral("stage vision")));
        QVERIFY(text("anatomyText").contains(QStringLiteral("done again")));
        QVERIFY(text("anatomyText").contains(QStringLiteral("run itself, which took ")));
        QTRY_VERIFY(text("anatomyText").contains(QStringLiteral("; 1.00\u00a0s so far.")));
        press("anatomyButton");
        QTRY_VERIFY(dialog().state() == AnatomyJob::State::Idle);
        QCOMPARE(text("anatomyText"), QStringLiteral("Stopped."));
        QCOMPARE(find<QPushButton>("anatomyButton").text(), QStringLiteral("Run again"));
        m_anatomy->setTime(0ms);
        press("anatomyButton");
        waitForTable();
        QCOMPARE(m_anatomy->questions().size(), 2U);
    }

    void anotherMomentTakesItsPlace() {
        m_anatomy->setTime(60s);
        runWords();
        memory().choosePeak();
        QTRY_COMPARE(m_anatomy->questions().size(), 1U);
        m_anatomy->setTime(0ms);
        memory().choosePeak();
        waitForTable();
        QCOMPARE(m_anatomy->questions().size(), 2U);
    }

    void closingStopsIt() {
        m_anatomy->setTime(60s);
        runWords();
        memory().choosePeak();
        QTRY_COMPARE(m_anatomy->questions().size(), 1U);
        QTest::keyClick(&dialog(), Qt::Key_Escape);
        QVERIFY(!dialog().isVisible());
        QTRY_VERIFY(dialog().state() == AnatomyJob::State::Idle);
    }

    void tellsWhyItCannotLook() {
        m_anatomy->setFailure({ErrorKind::Memory, "Looking into the run took <all> memory."});
        runWords();
        memory().choosePeak();
        QTRY_COMPARE(
            text("anatomyText"), QStringLiteral("Looking into the run took <all> memory."));
        QVERIFY(!find<ExportButton>("anatomyExport").isEnabled());
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(AnatomyDialogTest)
#include "anatomy_dialog_test.moc"
