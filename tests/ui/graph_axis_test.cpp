// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph_axis.h"

#include "tests/ui/ui_test.h"

namespace maskscope {

class GraphAxisTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void writesBytes_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        const auto row = [](qint64 bytes, const char* text) {
            QTest::newRow(text) << bytes
                                << QString::fromUtf8(text).replace(u' ', QChar(QChar::Nbsp));
        };
        row(0, "0 B");
        row(1023, "1023 B");
        row(1024, "1.00 KiB");
        row(12'995'005, "12.4 MiB");
        row(146'800'640, "140 MiB");
        row(1'073'741'823, "1.00 GiB"); // not 1024 MiB
        row(19'327'352'832, "18.0 GiB");
        row(-2'097'152, "-2.00 MiB");
    }
    void writesBytes() {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(sizeText(std::int64_t(bytes)), text);
    }

    void marksHaveNoIdleZeros() {
        const QChar space(QChar::Nbsp);
        QCOMPARE(byteMarkText(50.0 * (1 << 20)), QStringLiteral("50%1MiB").arg(space));
        QCOMPARE(byteMarkText(1.5 * (1 << 30)), QStringLiteral("1.5%1GiB").arg(space));
        QCOMPARE(byteMarkText(100.0 * (1 << 20)), QStringLiteral("100%1MiB").arg(space));
        QCOMPARE(timeMarkText(2000), QStringLiteral("2%1s").arg(space));
        QCOMPARE(timeMarkText(2500), QStringLiteral("2.5%1s").arg(space));
        QCOMPARE(timeMarkText(200), QStringLiteral("200%1ms").arg(space));
    }

    void writesWhatIsUnknown() {
        QCOMPARE(sizeText(std::optional<std::int64_t>()), QStringLiteral("N/A"));
        QCOMPARE(sizeText(std::optional<std::int64_t>(0)), sizeText(std::int64_t(0)));
    }

    void writesDurations_data() {
        QTest::addColumn<double>("ms");
        QTest::addColumn<QString>("text");
        const auto row = [](double ms, const char* text) {
            QTest::newRow(text) << ms << QString::fromUtf8(text).replace(u' ', QChar(QChar::Nbsp));
        };
        row(0, "0 ms");
        row(240.4, "240 ms");
        row(1250, "1.25 s");
        row(12'340, "12.3 s");
        row(125'000, "2 min 05 s");
    }
    void writesDurations() {
        QFETCH(double, ms);
        QFETCH(QString, text);
        QCOMPARE(durationText(ms), text);
    }

    void marksBytesInTheirUnit() {
        constexpr double kMiB = 1 << 20;
        const GraphAxis axis = bytesAxis(180 * kMiB, 4);
        QCOMPARE(axis.lower, 0.0);
        QCOMPARE(axis.upper, 180 * kMiB * kAxisAir);
        QCOMPARE(axis.step, 100 * kMiB);
        QCOMPARE(axis.marks(), (std::vector<double>{0, 100 * kMiB, 200 * kMiB}));
    }

    void marksTimeRoundly() {
        QCOMPARE(timeAxis(0, 1000, 6).step, 200.0);
        QCOMPARE(timeAxis(300, 900, 6).marks(),
            (std::vector<double>{300, 400, 500, 600, 700, 800, 900}));
        QCOMPARE(timeAxis(0, 600'000, 6).step, 120'000.0);
    }

    void everyRangeHasFewMarks() {
        for (const double upper : {0.5, 3.0, 47.0, 999.0, 12'345.0, 3.6e6, 9e8}) {
            const auto marks = timeAxis(0, upper, 6).marks();
            QVERIFY2(marks.size() >= 2 && marks.size() <= 8, qPrintable(QString::number(upper)));
        }
        QVERIFY(bytesAxis(0, 4).upper > 0);
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::GraphAxisTest)
#include "graph_axis_test.moc"
