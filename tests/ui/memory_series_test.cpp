// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_series.h"

#include "tests/ui/ui_test.h"
#include "ui/read_out.h"

#include <cmath>
#include <random>

namespace maskscope {

namespace {

MemorySample sample(double tMs, std::int64_t weights, std::int64_t vision,
    std::optional<std::int64_t> process = {}) {
    MemorySample result;
    result.tMs = tMs;
    result.byCategory.at(static_cast<std::size_t>(MemoryCategory::Weights)) = weights;
    result.byCategory.at(static_cast<std::size_t>(MemoryCategory::Vision)) = vision;
    result.live = weights + vision;
    result.process = process;
    return result;
}

} // namespace

class MemorySeriesTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void holdsUntilTheNextSample() {
        MemorySeries series;
        series.add(sample(10, 100, 0));
        series.add(sample(20, 100, 50));
        QVERIFY(series.at(9.9) == nullptr);
        QCOMPARE(series.at(10)->live, 100);
        QCOMPARE(series.at(19.99)->live, 100);
        QCOMPARE(series.at(500)->live, 150);
        QCOMPARE(series.peak()->tMs, 20.0);
    }

    void sortsWhatComesLate() {
        MemorySeries series;
        for (const double tMs : {5.0, 9.0, 7.0})
            series.add(sample(tMs, static_cast<std::int64_t>(tMs), 0));
        QCOMPARE(series.samples().at(1).tMs, 7.0);
        QCOMPARE(series.at(8)->live, 7);
        QCOMPARE(series.lastMs(), 9.0);
    }

    void staysBoundedAndKeepsThePeak() {
        MemorySeries series(1000);
        for (int i = 0; i < 100'000; ++i)
            series.add(sample(i, 10, i == 54'321 ? 999 : i % 7));
        QVERIFY(series.samples().size() <= 1000);
        QCOMPARE(series.peak()->live, 1009);
        QCOMPARE(series.peak()->tMs, 54'321.0);
        const auto& kept = series.samples();
        QVERIFY(std::any_of(kept.begin(), kept.end(),
            [](const MemorySample& one) { return one.live == 1009 && one.tMs == 54'321; }));
        QCOMPARE(series.lastMs(), 99'999.0);
    }

    void thinsWithoutLosingAPeak() {
        std::mt19937 random(7);
        MemorySeries series;
        std::int64_t greatest = 0;
        for (int i = 0; i < 20'000; ++i) {
            const auto bytes = static_cast<std::int64_t>(random() % 1'000'000);
            series.add(sample(i * 0.25, bytes, 0));
            if (i * 0.25 >= 1000 && i * 0.25 <= 2000)
                greatest = std::max(greatest, bytes);
        }
        const auto thinned = series.thinned(1000, 2000, 300);
        QVERIFY(thinned.size() <= 2 * 300 + 2);
        QCOMPARE(thinned.front().tMs, 1000.0);
        QCOMPARE(thinned.back().tMs, 2000.0);
        std::int64_t found = 0;
        double last = 0;
        for (const MemorySample& one : thinned) {
            QVERIFY(one.tMs >= last);
            last = one.tMs;
            found = std::max(found, one.live);
        }
        QCOMPARE(found, greatest);
    }

    void stacksInOrder() {
        QCOMPARE(stacked({1, 2, 3, 4, 5, 6, 7}), (BytesByCategory{1, 3, 6, 10, 15, 21, 28}));
    }

    void breaksTheProcessLineWhereNothingWasMeasured() {
        MemorySeries series;
        series.add(sample(0, 1, 0, 100));
        series.add(sample(50, 1, 0)); // an allocation event: measures no process, breaks nothing
        series.add(sample(100, 1, 0, 110));
        series.add(sample(900, 1, 0, 120)); // 800 ms later
        const auto line = processLine(series.samples());
        QCOMPARE(line.size(), std::size_t(4));
        QCOMPARE(line.at(1).bytes, 110.0);
        QVERIFY(std::isnan(line.at(2).bytes));
        QCOMPARE(line.at(3).bytes, 120.0);
        QCOMPARE(series.processAt(60).value_or(-1), 100);
        QVERIFY(!series.processAt(700).has_value());
    }

    void readsOutFiguresAndWhatIsUnknown() {
        constexpr std::int64_t kMiB = 1 << 20;
        MemorySeries series;
        StageTrack stages;
        stages.begin(Stage::Vision, 5);
        series.add(sample(0, 20 * kMiB, 0));
        series.add(sample(10, 20 * kMiB, 4 * kMiB));
        const ReadOut at = readOut(series, stages, 12.0);
        QCOMPARE(at.title, QStringLiteral("At 12\u00a0ms · vision"));
        QCOMPARE(at.lines.size(), std::size_t(4));
        QCOMPARE(at.lines.at(0).name, QStringLiteral("Vision"));
        QCOMPARE(at.lines.at(0).value, QStringLiteral("4.00\u00a0MiB"));
        QCOMPARE(at.lines.at(1).value, QStringLiteral("20.0\u00a0MiB"));
        QCOMPARE(at.lines.at(2).name, QStringLiteral("Tensors"));
        QCOMPARE(at.lines.at(2).value, QStringLiteral("24.0\u00a0MiB"));
        QCOMPARE(at.lines.at(3).name, QStringLiteral("Process"));
        QCOMPARE(at.lines.at(3).value, QStringLiteral("N/A")); // never 0
        QCOMPARE(readOut(series, stages, {}).title, QStringLiteral("Now"));
        QCOMPARE(
            readOut(MemorySeries(), StageTrack(), {}).lines.at(0).value, QStringLiteral("N/A"));
    }

    void nestsStages() {
        StageTrack track;
        track.begin(Stage::Decode, 10);
        track.begin(Stage::Mask, 20);
        track.end({Stage::Mask, 5, 77, 0}, 25);
        track.begin(Stage::Mask, 30);
        track.end({Stage::Mask, 5, 78, 0}, 35);
        QCOMPARE(track.bands().size(), std::size_t(3));
        QCOMPARE(track.bands().at(0).depth, 0);
        QVERIFY(!track.bands().at(0).endMs.has_value());
        QCOMPARE(track.bands().at(1).depth, 1);
        QCOMPARE(track.bands().at(1).extraPeakBytes, std::optional<std::int64_t>(77));
        QCOMPARE(track.bands().at(2).depth, 1);
        QCOMPARE(track.at(22).value(), Stage::Mask);
        QCOMPARE(track.at(28).value(), Stage::Decode);
        QVERIFY(!track.at(5).has_value());
        track.end({Stage::Prefill, 0, 0, 0}, 40); // never began
        track.endAll(50);
        QCOMPARE(track.bands().at(0).endMs.value(), 50.0);
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::MemorySeriesTest)
#include "memory_series_test.moc"
