// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_panel.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/ui_test.h"
#include "ui/colours.h"
#include "ui/figure_table.h"
#include "ui/memory_graph.h"
#include "ui/rank_lanes.h"
#include "ui/read_out.h"
#include "ui/stage_strip.h"

#include <QCheckBox>
#include <QHelpEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolTip>

namespace maskscope {

class MemoryPanelTest : public UiTest {
    Q_OBJECT

    static constexpr std::int64_t kMiB = 1 << 20;
    std::unique_ptr<MemoryPanel> m_panel;

    static MemorySample sample(
        double tMs, std::int64_t vision, std::optional<std::int64_t> process) {
        MemorySample result;
        result.tMs = tMs;
        result.byCategory.at(static_cast<std::size_t>(MemoryCategory::Weights)) = 50 * kMiB;
        result.byCategory.at(static_cast<std::size_t>(MemoryCategory::Vision)) = vision;
        result.live = 50 * kMiB + vision;
        result.process = process;
        return result;
    }

    MemoryGraph& graph() const { return *m_panel->findChild<MemoryGraph*>(); }
    ReadOutView& figures() const { return *m_panel->findChild<ReadOutView*>(); }

    // A second of a run: vision takes 100 MiB from 400 to 600 ms.
    void showRun() {
        m_panel->begin();
        m_panel->beginStage(Stage::Vision, 300);
        m_panel->add({sample(0, 0, 700 * kMiB), sample(400, 100 * kMiB, 800 * kMiB)});
        m_panel->add({sample(600, 0, 720 * kMiB), sample(1000, 0, 720 * kMiB)});
        m_panel->endStage({Stage::Vision, 400, 100 * kMiB, 50 * kMiB}, 700);
        m_panel->end(1000);
        graph().replot();
    }

    QColor colourAt(double tMs, double mib) const {
        const QPointF at(graph().pixelAt(tMs), graph().yAxis->coordToPixel(mib * kMiB));
        const QImage picture = graph().grab().toImage();
        return picture.pixelColor((at * picture.devicePixelRatio()).toPoint());
    }

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_panel = std::make_unique<MemoryPanel>();
        m_panel->resize(900, 220);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    void drawsTheStackAtExactlyItsHeight() {
        showRun();
        const auto isNear = [](const QColor& seen, MemoryCategory category) {
            const QColor pure = colourOf(category);
            // Areas are a little transparent over the background.
            return std::abs(seen.hsvHue() - pure.hsvHue()) < 12 && seen.hsvSaturation() > 60;
        };
        QVERIFY(isNear(colourAt(200, 30), MemoryCategory::Weights));
        QVERIFY(isNear(colourAt(500, 30), MemoryCategory::Weights));
        QVERIFY(isNear(colourAt(500, 100), MemoryCategory::Vision));
        QVERIFY(!isNear(colourAt(500, 156), MemoryCategory::Vision)); // above 150 there is nothing
        QVERIFY(!isNear(colourAt(200, 100), MemoryCategory::Vision));
        QCOMPARE(m_panel->series().peak()->live, 150 * kMiB);
    }

    void hoveringReadsTheFigures() {
        showRun();
        QTest::mouseMove(&graph(), QPoint(static_cast<int>(graph().pixelAt(500)), 60));
        QTRY_VERIFY(figures().shown().title.startsWith(QStringLiteral("At ")));
        QVERIFY(figures().shown().title.endsWith(QStringLiteral("vision")));
        QCOMPARE(figures().shown().lines.at(0).name, QStringLiteral("Vision"));
        QCOMPARE(figures().shown().lines.at(0).value, QStringLiteral("100\u00a0MiB"));
        QTest::mouseMove(m_panel.get(), QPoint(890, 210));
        QTRY_COMPARE(figures().shown().title, QStringLiteral("Now"));
    }

    void whatIsNotAvailableIsSaid() {
        m_panel->begin();
        m_panel->add({sample(0, 0, std::nullopt), sample(10, kMiB, std::nullopt)});
        QCOMPARE(figures().shown().lines.back().name, QStringLiteral("Process"));
        QCOMPARE(figures().shown().lines.back().value, QStringLiteral("N/A"));
        QCOMPARE(graph().yAxis2->tickLabels(), false);
    }

    void zoomsByDraggingAndResetsByRightClick() {
        showRun();
        const int y = 80;
        const QPoint from(static_cast<int>(graph().pixelAt(380)), y);
        const QPoint to(static_cast<int>(graph().pixelAt(620)), y + 20);
        QTest::mousePress(&graph(), Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, graph().mapToGlobal(to), Qt::NoButton,
            Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&graph(), &move);
        QTest::mouseRelease(&graph(), Qt::LeftButton, {}, to);
        QVERIFY(graph().isZoomed());
        QVERIFY(std::abs(graph().xAxis->range().lower - 380) < 5);
        QVERIFY(std::abs(graph().xAxis->range().upper - 620) < 5);
        m_panel->add({sample(1100, 0, 720 * kMiB)}); // what arrives does not move what is looked at
        QVERIFY(std::abs(graph().xAxis->range().upper - 620) < 5);
        QTest::mouseClick(&graph(), Qt::RightButton, {}, from);
        QVERIFY(!graph().isZoomed());
        QCOMPARE(graph().xAxis->range().lower, 0.0);
        QCOMPARE(graph().xAxis->range().upper, 1100.0);
    }

    void weightsCanBeLeftOut() {
        showRun();
        auto* box = m_panel->findChild<QCheckBox*>(QStringLiteral("weightsBox"));
        box->click();
        graph().replot();
        QCOMPARE(graph().yAxis->range().upper, 100.0 * kMiB * kAxisAir);
        QVERIFY(figures().shown().lines.at(1).mark == ReadOut::Mark::HiddenArea);
        box->click();
        QCOMPARE(graph().yAxis->range().upper, 150.0 * kMiB * kAxisAir);
    }

    void predictionAndMeasurementStandSideBySide() {
        showRun();
        Report report;
        report.predictedPeakBytes = 101 * kMiB;
        report.predictedExtraPeakBytes = {{Stage::Vision, 99 * kMiB}};
        m_panel->setReport(report);
        const auto& table = *m_panel->findChild<FigureTable*>(QStringLiteral("stageTable"));
        const auto row = [&](int index) {
            QStringList cells;
            for (int column = 0; column < 3; ++column)
                cells += table.item(index, column)->text().replace(QChar(QChar::Nbsp), u' ');
            return cells.join(u'|');
        };
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(row(0), QStringLiteral("vision|100 MiB|99.0 MiB"));
        QCOMPARE(row(1), QStringLiteral("run|100 MiB|101 MiB"));
        m_panel->begin();
        QCOMPARE(table.rowCount(), 0);
    }

    void theStripTellsWhatAStageTook() {
        m_panel->resize(1500, 220);
        showRun();
        auto& strip = *m_panel->findChild<StageStrip*>();
        const QImage named = strip.grab().toImage();
        Report report;
        report.predictedExtraPeakBytes = {{Stage::Vision, 99 * kMiB}};
        m_panel->setReport(report);
        QVERIFY(strip.grab().toImage() != named); // the prediction stands there, too
        const QPoint middle(int(graph().pixelAt(500)), strip.height() / 3);
        QHelpEvent help(QEvent::ToolTip, middle, strip.mapToGlobal(middle));
        QApplication::sendEvent(&strip, &help);
        QTRY_VERIFY(QToolTip::text().contains(
            QStringLiteral("extra peak 100\u00a0MiB, predicted 99.0\u00a0MiB")));
    }

    void aClickChoosesAMomentOnceTheRunHasEnded() {
        QSignalSpy chosen(m_panel.get(), &MemoryPanel::momentChosen);
        const auto last = [&] { return chosen.back().front().value<AnatomyMoment>(); };
        const auto click = [&](double tMs, double mib) {
            graph().replot();
            QTest::mouseClick(&graph(), Qt::LeftButton, {},
                QPointF(graph().pixelAt(tMs), graph().yAxis->coordToPixel(mib * kMiB)).toPoint());
        };
        m_panel->begin();
        m_panel->beginStage(Stage::Vision, 300);
        m_panel->add({sample(0, 0, 700 * kMiB), sample(400, 100 * kMiB, 800 * kMiB)});
        click(350, 30);
        QVERIFY(chosen.isEmpty()); // it is still going on
        showRun();
        click(450, 30);
        QCOMPARE(chosen.count(), 1);
        QVERIFY(last().stage == Stage::Vision);
        QCOMPARE(last().live->at(std::size_t(MemoryCategory::Vision)), 100 * kMiB);
        click(400, 150); // the mark
        QCOMPARE(chosen.count(), 2);
        QVERIFY(last().stage == Stage::Vision && !last().live);
        m_panel->findChild<QPushButton*>(QStringLiteral("peakButton"))->click();
        QCOMPARE(chosen.count(), 3);
        QVERIFY(!last().live);
    }

    void ringsHaveALaneForEachRank() {
        auto& lanes = *m_panel->findChild<RankLanes*>();
        auto& tabs = *m_panel->findChild<QTabWidget*>(QStringLiteral("memoryTabs"));
        const auto& table = *m_panel->findChild<FigureTable*>(QStringLiteral("rankTable"));
        showRun();
        QVERIFY(!lanes.isVisible());
        QVERIFY(!tabs.isTabVisible(2));
        m_panel->addRanks({{400, 0, 8 * kMiB, 4 * kMiB}, {600, 0, 4 * kMiB, 4 * kMiB},
            {400, 1, 2 * kMiB, kMiB}, {700, 1, 0, 0}});
        QTRY_VERIFY(lanes.isVisible());
        QVERIFY(tabs.isTabVisible(2));
        const auto row = [&](int index) {
            QStringList cells;
            for (int column = 0; column < 3; ++column)
                cells += table.item(index, column)->text().replace(QChar(QChar::Nbsp), u' ');
            return cells.join(u'|');
        };
        QCOMPARE(table.rowCount(), 3);
        QCOMPARE(row(0), QStringLiteral("0|8.00 MiB|4.00 MiB"));
        QCOMPARE(row(1), QStringLiteral("1|2.00 MiB|1.00 MiB"));
        QCOMPARE(row(2), QStringLiteral("sum|10.0 MiB|5.00 MiB"));
        QCOMPARE(figures().shown().lines.back().name, QStringLiteral("Ranks"));
        QCOMPARE(figures().shown().lines.back().value, QStringLiteral("4.00\u00a0MiB"));
        graph().replot();
        QCOMPARE(lanes.width(), graph().width());
        // The lane of rank 0 is full at its peak, where rank 1's has a quarter of its height.
        const QImage picture = lanes.grab().toImage();
        const auto share = [&](double tMs, int rank) {
            const int x = int(graph().pixelAt(tMs) * picture.devicePixelRatio());
            int coloured = 0, all = 0;
            for (int y = rank * picture.height() / 2 + 3; y < (rank + 1) * picture.height() / 2 - 3;
                 ++y, ++all)
                coloured += picture.pixelColor(x, y).hsvSaturation() > 60;
            return double(coloured) / all;
        };
        QVERIFY(share(500, 0) > 0.95);
        QVERIFY(share(500, 1) > 0.1 && share(500, 1) < 0.4);
        QVERIFY(share(650, 0) > 0.35 && share(650, 0) < 0.65);
        QTest::mouseMove(&graph(), QPoint(int(graph().pixelAt(500)), 60));
        QTRY_COMPARE(figures().shown().lines.back().value, QStringLiteral("10.0\u00a0MiB"));
        m_panel->begin();
        QVERIFY(!lanes.isVisible());
        QVERIFY(!tabs.isTabVisible(2));
    }

    void manyRanksStayBesideTheGraph() {
        std::vector<RankSample> samples;
        for (int rank = 0; rank < 8; ++rank)
            samples.push_back({400, rank, (rank + 1) * kMiB, kMiB});
        showRun();
        m_panel->addRanks(samples);
        const auto& lanes = *m_panel->findChild<RankLanes*>();
        QTRY_VERIFY(lanes.height() > 0);
        QVERIFY2(lanes.height() < 110, qPrintable(QString::number(lanes.height())));
        QVERIFY(graph().height() >= graph().minimumSizeHint().height());
    }

    void noLineIsCutOffInALowPanel() {
        showRun();
        m_panel->addRanks({{400, 0, 8 * kMiB, 4 * kMiB}});
        const int lines = int(figures().shown().lines.size());
        m_panel->resize(900, m_panel->minimumSizeHint().height());
        QTRY_VERIFY(figures().height() >= lines * figures().fontMetrics().height());
        const auto& scroll = *m_panel->findChild<QScrollArea*>(QStringLiteral("momentScroll"));
        QVERIFY(figures().width() <= scroll.viewport()->width());
    }

    void aNewRunStartsEmpty() {
        showRun();
        m_panel->begin();
        QVERIFY(m_panel->series().isEmpty());
        QVERIFY(m_panel->stages().bands().empty());
        QVERIFY(!graph().isZoomed());
    }

    void anHourAtTwentyHertzStaysFast() {
        m_panel->begin();
        std::vector<MemorySample> samples;
        for (int i = 0; i < 72'000; ++i)
            samples.push_back(sample(i * 50.0, (i % 100) * kMiB, 700 * kMiB));
        m_panel->add(samples);
        QElapsedTimer time;
        time.start();
        for (int i = 0; i < 10; ++i) {
            m_panel->add({sample(3'600'000.0 + i * 50, 0, 700 * kMiB)});
            graph().replot();
        }
        QVERIFY2(time.elapsed() < 2000, qPrintable(QString::number(time.elapsed())));
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::MemoryPanelTest)
#include "memory_panel_test.moc"
