// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/size_plan.h"

#include "tests/ui/ui_test.h"

#include <algorithm>

namespace maskscope {

class SizePlanTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void patchesAreTheReferences() {
        QCOMPARE(patchesOf(500'000), 1944);
        QCOMPARE(patchesOf(2'000'000), 7776);
        QCOMPARE(patchesOf(3'000'000), 11616);
    }

    void findsTheLargestSizeThatFits() {
        const auto squared = [](std::int64_t pixels) {
            const std::int64_t P = pixels / 256;
            return 64 * P * P;
        };
        // 64 P^2 = 6,400,000,000 at P = 10,000.
        const std::int64_t found = mostPixelsWithin(6'400'000'000, 1'000'000'000, squared);
        QVERIFY(squared(found) <= 6'400'000'000);
        QVERIFY2(found > 2'560'000 * 0.998, qPrintable(QString::number(found)));
    }

    void knowsTheEnds() {
        const auto all = [](std::int64_t) { return std::int64_t(10); };
        QCOMPARE(mostPixelsWithin(10, 5'000'000, all), 5'000'000);
        QCOMPARE(mostPixelsWithin(9, 5'000'000, all), 0);
    }

    void needsRunThroughTheForecastsAndBeyond() {
        std::vector<RunForecast> forecasts;
        for (const std::int64_t P : {500, 1000, 2000, 4000}) {
            forecasts.push_back({AttentionPath::Mha, 0, P, 60 * P * P, 64 * P * P + 1000 * P});
            forecasts.push_back({AttentionPath::Sdpa, 0, P, 10 * P, 40'000 * P + 7'000'000});
        }
        const NeedCurve mha(forecasts, AttentionPath::Mha);
        QCOMPARE(mha.at(2000).peakBytes, 64LL * 2000 * 2000 + 2'000'000);
        QCOMPARE(mha.at(3000).maskBytes, 60LL * (2000 * 2000 + 4000 * 4000) / 2);
        const double exact = 64.0 * 9000 * 9000 + 9'000'000;
        QVERIFY(std::abs(double(mha.at(9000).peakBytes) - exact) < 1e-6 * exact);
        const NeedCurve sdpa(forecasts, AttentionPath::Sdpa);
        QVERIFY(std::abs(double(sdpa.at(100'000).peakBytes) - 4'007'000'000.0) < 10);
        QVERIFY(NeedCurve(forecasts, AttentionPath::Flash).isEmpty());
    }

    void sizesAreRoundAndIncrease() {
        const auto& sizes = roundImageSizes();
        QCOMPARE(sizes.front(), 50'000);
        QCOMPARE(sizes.back(), 40'000'000);
        QVERIFY(std::is_sorted(sizes.begin(), sizes.end()));
        for (const std::int64_t wanted : {500'000, 1'000'000, 2'000'000, 3'000'000})
            QVERIFY(std::find(sizes.begin(), sizes.end(), wanted) != sizes.end());
    }

    void neverWritesMoreThanThereIs() {
        QCOMPARE(megapixelText(65'536), QStringLiteral("0.06\u00a0MP"));
        QCOMPARE(megapixelText(2'190'000), QStringLiteral("2.1\u00a0MP"));
        QCOMPARE(megapixelText(2'100'000), QStringLiteral("2.1\u00a0MP"));
        QCOMPARE(megapixelText(31'900'000), QStringLiteral("31\u00a0MP"));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::SizePlanTest)
#include "size_plan_test.moc"
