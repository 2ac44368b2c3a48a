// SPDX-License-Identifier: GPL-3.0-or-later
// The window around a run: what is asked, told, stopped and kept.
#include "tests/ui/fake_lab.h"
#include "tests/ui/window_test.h"
#include "ui/figure_table.h"
#include "ui/megapixel_box.h"
#include "ui/rank_lanes.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>

using namespace std::chrono_literals;

namespace maskscope {

class MainWindowTest : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void wordsBecomeAnAnswerMasksAndACurve() {
        openImage();
        const QSignalSpy ended(m_window.get(), &MainWindow::runEnded);
        typeAndRun(QStringLiteral("cat and cup"));
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(m_model->requests().back().text, std::string("cat and cup"));
        QCOMPARE(answer().answer(), QStringLiteral("The cat <|mask|> sits by a cup <|mask|>."));
        QCOMPARE(maskCount(), 2);
        QVERIFY(list().model()->index(0, 0).data().toString().contains(QStringLiteral("cat")));
        const MemoryPanel& memory = find<MemoryPanel>("memoryPanel");
        QCOMPARE(memory.series().peak()->live, FakeModel::kWeights + FakeModel::kVisionPeak);
        QVERIFY(memory.stages().bands().size() >= 5);
        QVERIFY(status().figures().contains(QStringLiteral("sdpa")));
        QVERIFY(status().figures().contains(QStringLiteral("tokens/s")));
        QVERIFY(status().figures().contains(QStringLiteral("312")));
        QVERIFY(status().text().startsWith(QStringLiteral("Done in")));
    }

    void saysWhatIsMissing() {
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QVERIFY(
            message().isVisible() && message().text().contains(QStringLiteral("Open an image")));
        openImage();
        QVERIFY(!message().isVisible());
        edit().clear();
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(message().text().contains(QStringLiteral("Type what to find")));
        QVERIFY(m_model->requests().empty());
    }

    void escapeStopsAndSaysSoAtOnce() {
        answerSlowly(80ms);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        QCOMPARE(runButton().text(), QStringLiteral("Stop"));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(runButton().text(), QStringLiteral("Stopping…"));
        QVERIFY(!runButton().isEnabled());
        QCOMPARE(status().text(), QStringLiteral("Stopping…"));
        QTRY_VERIFY(isIdle());
        QCOMPARE(runButton().text(), QStringLiteral("Run"));
        QCOMPARE(maskCount(), 1); // kept
        QVERIFY(answer().toPlainText().contains(QStringLiteral("Stopped")));
        answerSlowly(0ms);
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2); // the one that was kept is found anew
    }

    void anotherImageDropsTheRunningAnswer() {
        answerSlowly(40ms);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        openImage(QStringLiteral("b.png"));
        QCOMPARE(maskCount(), 0);
        QVERIFY(isIdle());
        QTRY_VERIFY(!m_session->isBusy());
        QTest::qWait(80);
        QCOMPARE(maskCount(), 0);
    }

    void typedAndAnsweredMarkupStaysText() {
        FakeAnswer nasty;
        nasty.pieces = {"<b>bold</b>", " <|mask|>", " <img src='x'>"};
        nasty.labels = {"<i>cat</i> & dog"};
        m_model->setAnswer(nasty);
        openImage();
        typeAndRun(QStringLiteral("<h1>big</h1> <|mask|>"));
        QTRY_VERIFY(isIdle() && maskCount() == 1);
        QVERIFY(answer().toPlainText().startsWith(
            QStringLiteral("“<h1>big</h1> <|mask|>”\n<b>bold</b> ")));
        QVERIFY(answer().toPlainText().contains(QStringLiteral("<img src='x'>")));
        QCOMPARE(
            list().model()->index(0, 0).data().toString(), QStringLiteral("1  <i>cat</i> & dog"));
    }

    void anErrorIsToldAndTheNextRunWorks() {
        FakeAnswer broken;
        broken.failure = Error{ErrorKind::Device, "This has <b>no</b> device."};
        m_model->setAnswer(broken);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(message().isVisible());
        QCOMPARE(message().text(), QStringLiteral("This has <b>no</b> device."));
        QCOMPARE(find<QLabel>("messageText").textFormat(), Qt::PlainText);
        QCOMPARE(status().text(), QStringLiteral("The run failed"));
        m_model->setAnswer({});
        press("messageStep"); // with automatic attention
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QVERIFY(!message().isVisible());
    }

    void memoryThatDoesNotDoIsToldWithWaysOn() {
        ModelDescription model = FakeLab::model();
        model.info.trainingPixels = 400'000;
        model.attention = {{AttentionPath::Sdpa, true, false, false, {}}};
        m_session->announceModel(model);
        FakeAnswer broken;
        broken.failure
            = Error{ErrorKind::Memory, "This needs <b>900 MiB</b>, but 512 MiB are allowed."};
        m_model->setAnswer(broken);
        openImage();
        find<QSpinBox>("limitBox").setValue(512);
        auto& attention = find<QComboBox>("attentionBox");
        attention.setCurrentIndex(attention.findText(QStringLiteral("mha")));
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(message().isVisible());
        QVERIFY(message().text().startsWith(
            QStringLiteral("This needs <b>900 MiB</b>, but 512 MiB are allowed. At the highest "
                           "there were vision 96.0\u00a0MiB, weights 52.0\u00a0MiB")));
        QCOMPARE(status().text(), QStringLiteral("Out of memory"));
        QStringList ways;
        for (QPushButton* button : message().findChildren<QPushButton*>())
            if (button->objectName() == QStringLiteral("messageStep"))
                ways += button->text();
        // This model needs 40,000 bytes a patch: 512 MiB are 13,421 of them, far more than 0.4 MP.
        QCOMPARE(ways,
            (QStringList{QStringLiteral("Run with sdpa"), QStringLiteral("Run at 0.36\u00a0MP"),
                QStringLiteral("Run settings")}));
        m_model->setAnswer({});
        press("messageStep");
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QVERIFY(m_model->requests().back().settings.attention == AttentionPath::Sdpa);
        QCOMPARE(
            m_model->requests().back().settings.memoryLimit.value_or(0), std::int64_t(512) << 20);
        QVERIFY(!message().isVisible());
    }

    void theMemoryLimitIsAClickAway() {
        FakeAnswer broken;
        broken.failure = Error{ErrorKind::Memory, "Too much."};
        m_model->setAnswer(broken);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(message().isVisible());
        for (QPushButton* button : message().findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Run settings"))
                button->click();
        QVERIFY(find<QSpinBox>("limitBox").hasFocus());
    }

    void emptyAndMissingMasksAreExplained() {
        FakeAnswer empty;
        empty.lastMaskEmpty = true;
        m_model->setAnswer(empty);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QVERIFY(answer().toPlainText().contains(QStringLiteral("Mask 2 is empty")));
        empty.pieces = {"There", " is", " none."};
        m_model->setAnswer(empty);
        typeAndRun(QStringLiteral("dog"));
        QTRY_VERIFY(isIdle());
        QVERIFY(answer().toPlainText().contains(QStringLiteral("Nothing was marked")));
        QCOMPARE(maskCount(), 2); // of the words before
    }

    void requestsHaveAHistory() {
        openImage();
        for (const char* words : {"first", "second"}) {
            typeAndRun(QString::fromLatin1(words));
            QTRY_VERIFY(isIdle());
        }
        edit().setText(QStringLiteral("draft"));
        QTest::keyClick(&edit(), Qt::Key_Up);
        QCOMPARE(edit().text(), QStringLiteral("second"));
        QTest::keyClick(&edit(), Qt::Key_Up);
        QTest::keyClick(&edit(), Qt::Key_Up);
        QCOMPARE(edit().text(), QStringLiteral("first"));
        QTest::keyClick(&edit(), Qt::Key_Down);
        QTest::keyClick(&edit(), Qt::Key_Down);
        QCOMPARE(edit().text(), QStringLiteral("draft"));
    }

    void runSettingsGoWithTheRequestAndAreKept() {
        QComboBox& attention = find<QComboBox>("attentionBox");
        m_session->announceModel(
            {{}, {{AttentionPath::Ring, false, true, false, "needs two devices"}}, {}});
        QTRY_VERIFY(
            !attention.model()
                 ->flags(attention.model()->index(attention.findText(QStringLiteral("ring")), 0))
                 .testFlag(Qt::ItemIsEnabled));
        attention.setCurrentIndex(attention.findText(QStringLiteral("mha")));
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle());
        QVERIFY(m_model->requests().back().settings.attention == AttentionPath::Mha);
        QVERIFY(status().figures().contains(QStringLiteral("mha")));
        QVERIFY(m_settings->runSettings().attention == AttentionPath::Mha);
    }

    void aRingTellsOfItsRanks() {
        QComboBox& attention = find<QComboBox>("attentionBox");
        QSpinBox& ranks = find<QSpinBox>("ringRanksBox");
        ModelDescription model = FakeLab::model();
        model.info.trainingPixels = 400'000;
        model.attention = {{AttentionPath::Ring, true, true, false, {}}};
        m_session->announceModel(model);
        QVERIFY(!ranks.isEnabled());
        attention.setCurrentIndex(attention.findText(QStringLiteral("ring")));
        QVERIFY(ranks.isEnabled());
        ranks.setValue(3);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle());
        QCOMPARE(m_model->requests().back().settings.ringDevices.size(), std::size_t(3));
        QCOMPARE(m_settings->runSettings().ringDevices.size(), std::size_t(3));
        QCOMPARE(find<FigureTable>("rankTable").rowCount(), 4);
        QVERIFY(find<RankLanes>("rankLanes").isVisible());
        const auto isOffered = [&] {
            return attention.model()
                ->flags(attention.model()->index(attention.findText(QStringLiteral("ring")), 0))
                .testFlag(Qt::ItemIsEnabled);
        };
        QVERIFY(isOffered());
        find<MegapixelBox>("imageSizeBox").setValue(0.01);
        QVERIFY(!isOffered());
        QVERIFY(attention.itemData(attention.findText(QStringLiteral("ring")), Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("too few to share")));
    }

    void closingWhileRunningStopsAndLeaves() {
        answerSlowly(50ms);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        QElapsedTimer time;
        time.start();
        closeWithoutSaving();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY2(time.elapsed() < 1000, qPrintable(QString::number(time.elapsed())));
        QVERIFY(!m_session->isBusy());
    }

    void closingDoesNotWaitForEver() {
        FakeAnswer deaf;
        deaf.perToken = 20ms;
        deaf.deafTo = 4000ms;
        m_model->setAnswer(deaf);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        QElapsedTimer time;
        time.start();
        closeWithoutSaving();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isVisible(), 3500);
        QVERIFY2(time.elapsed() < 3000, qPrintable(QString::number(time.elapsed())));
    }

    void theGuiThreadStaysAlive() {
        FakeAnswer flood;
        flood.pieces = std::vector<std::string>(10'000, "word ");
        m_model->setAnswer(flood);
        openImage();
        QElapsedTimer beat;
        qint64 longest = 0;
        QTimer timer;
        timer.setInterval(1);
        connect(&timer, &QTimer::timeout, this, [&] {
            longest = std::max(longest, beat.isValid() ? beat.restart() : 0);
            if (!beat.isValid())
                beat.start();
        });
        timer.start();
        typeAndRun(QStringLiteral("flood"));
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 20'000);
        QVERIFY2(longest < 250, qPrintable(QString::number(longest))); // 50 on a machine of its own
        QCOMPARE(answer().answer().size(), 50'000);
    }

    void anExceptionInASlotIsTold() {
        QTimer::singleShot(
            0, m_window.get(), [] { throw Failure(ErrorKind::Internal, "a <slot> has thrown"); });
        QTRY_VERIFY(message().isVisible());
        QCOMPARE(message().text(), QStringLiteral("a <slot> has thrown"));
        openImage(); // and life goes on
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
