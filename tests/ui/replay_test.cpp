// SPDX-License-Identifier: GPL-3.0-or-later
// A past run that is played again in the window.
#include "tests/ui/history_test.h"
#include "ui/colours.h"
#include "ui/run_panel.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSlider>
#include <cstdlib>

using namespace std::chrono_literals;

namespace maskscope {

class ReplayTest : public HistoryTest {
    Q_OBJECT

private Q_SLOTS:
    void replaysOverTheSamePicture() {
        openImage(QStringLiteral("a.png"));
        runWords();
        openImage(QStringLiteral("b.png"));
        QCOMPARE(maskCount(), 0);
        replay();
        QTRY_VERIFY(isIdle());
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("a.png")));
        QVERIFY(bar().label().contains(QStringLiteral("Some CPU (cpu) · ")));
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
        press("replayPlay");
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

    void saysWhatWasRunAndShowsItsSettings() {
        RunRecord run = foreignRun(20);
        run.header.settings.attention = AttentionPath::Mha;
        run.header.settings.pixels = 60'000;
        RunStore(database()).add(run);
        auto& attention = find<QComboBox>("attentionBox");
        auto& panel = *m_window->findChild<RunPanel*>();
        replay();
        QVERIFY2(bar().label().startsWith(QStringLiteral("Replay: “the cat”\n")),
            qPrintable(bar().label()));
        QCOMPARE(attention.currentText(), QStringLiteral("mha"));
        QVERIFY(!attention.isEnabled());
        QVERIFY(find<QLabel>("pastSettings").isVisibleTo(&panel));
        // What the next run is done with.
        QCOMPARE(panel.settings().attention, AttentionPath::Auto);
        QCOMPARE(panel.settings().pixels, 0);
        QCOMPARE(m_settings->runSettings().attention, AttentionPath::Auto);
        press("replayEnd");
        QCOMPARE(attention.currentText(), QStringLiteral("Automatic"));
        QVERIFY(attention.isEnabled());
        QVERIFY(!find<QLabel>("pastSettings").isVisibleTo(&panel));
    }

    void isHeldAndTakenToAnyMoment() {
        RunStore(database()).add(foreignRun(3'600'000));
        replay();
        press("replayPlay");
        auto& play = find<QPushButton>("replayPlay");
        auto& slider = find<QSlider>("replaySlider");
        QCOMPARE(play.text(), QStringLiteral("Play"));
        QCOMPARE(bar().pace(), 0.0);
        QCOMPARE(slider.maximum(), 3'600'000);
        slider.setValue(4);
        QCOMPARE(maskCount(), 0);
        QCOMPARE(memory().series().peak()->live, std::int64_t(1) << 30);
        slider.setValue(1000);
        QCOMPARE(maskCount(), 1);
        QCOMPARE(memory().series().peak()->live, std::int64_t(18) << 30);
        QCOMPARE(m_session->state(), Session::State::Running);
        QVERIFY(find<QLabel>("replayTime").text().startsWith(QStringLiteral("1.00\u00a0s of")));
        slider.setValue(2); // back: what came later is not there any more
        QCOMPARE(maskCount(), 0);
        QCOMPARE(memory().series().peak()->live, std::int64_t(1) << 30);
        QVERIFY(answer().answer().isEmpty());
        slider.setValue(slider.maximum());
        QVERIFY(isIdle());
        QCOMPARE(play.text(), QStringLiteral("Play again"));
        slider.setValue(8);
        QCOMPARE(maskCount(), 1);
        QCOMPARE(play.text(), QStringLiteral("Play"));
        QCOMPARE(m_session->state(), Session::State::Running);
        m_session->stop();
        QVERIFY(isIdle());
        QCOMPARE(slider.value(), slider.maximum());
    }

    void isSlowedDown() {
        RunStore(database()).add(foreignRun(3'600'000));
        replay();
        auto& pace = find<QComboBox>("replayPace");
        QCOMPARE(bar().pace(), 1.0);
        pace.setCurrentIndex(pace.findText(QStringLiteral("10 × slower")));
        QCOMPARE(bar().pace(), 0.1);
        press("replayPlay");
        press("replayPlay");
        QCOMPARE(bar().pace(), 0.1);
    }

    void looksIntoThePeakByRunningItAgain() {
        openImage(QStringLiteral("a.png"));
        runWords();
        replay();
        QTRY_VERIFY(isIdle());
        memory().choosePeak();
        QTRY_COMPARE(m_anatomy->questions().size(), 1U);
        const auto asked = std::get<RunAnatomyQuestion>(m_anatomy->questions().front());
        QCOMPARE(asked.run.text, std::string("cat and cup"));
        QVERIFY(QString::fromStdString(asked.run.image.path).endsWith(QStringLiteral("a.png")));
        QVERIFY(asked.run.settings.sampling.seed.has_value()); // as it was drawn
    }

    void saysWhyItCannotLookIntoAPastedPicture() {
        RunRecord run = foreignRun(20);
        run.header.image.path.clear();
        RunStore(database()).add(run);
        replay();
        QTRY_VERIFY(isIdle());
        memory().choosePeak();
        QVERIFY(message().text().contains(QStringLiteral("was not a file")));
        QVERIFY(m_anatomy->questions().empty());
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(ReplayTest)
#include "replay_test.moc"
