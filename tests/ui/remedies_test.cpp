// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/remedies.h"

#include "tests/ui/fake_lab.h"
#include "tests/ui/ui_test.h"
#include "ui/size_plan.h"

namespace maskscope {

class RemediesTest : public UiTest {
    Q_OBJECT

    static ModelDescription model() {
        ModelDescription model = FakeLab::model();
        model.info.trainingPixels = 400'000;
        model.info.bytesByDtype = {{"fp32", 52 << 20}};
        for (const AttentionPath path : {AttentionPath::Mha, AttentionPath::Sdpa})
            model.attention.push_back({path, true, false, path == AttentionPath::Mha, {}});
        return model;
    }
    static RunSettings at(AttentionPath path, std::int64_t pixels) {
        RunSettings settings;
        settings.attention = path;
        settings.pixels = pixels;
        return settings;
    }
    static std::int64_t need(const ModelDescription& model, const RunSettings& settings) {
        return (52 << 20)
            + NeedCurve(model.forecasts, settings.attention)
                  .at(patchesOf(settings.pixels))
                  .peakBytes;
    }

private Q_SLOTS:
    void eachFits() {
        for (const std::int64_t limit : {std::int64_t(300) << 20, std::int64_t(2) << 30})
            for (const AttentionPath path : {AttentionPath::Mha, AttentionPath::Sdpa}) {
                const auto remedies = remediesFor(at(path, 8'000'000), model(), 0, limit);
                QCOMPARE(remedies.size(), path == AttentionPath::Mha ? 2U : 1U);
                for (const Remedy& remedy : remedies) {
                    QVERIFY(need(model(), remedy.settings) <= limit);
                    QVERIFY(remedy.settings.pixels <= 8'000'000);
                }
                QVERIFY(remedies.front().settings.attention == AttentionPath::Sdpa);
            }
    }

    void aLeanPathThatFitsKeepsTheSize() {
        const auto remedies
            = remediesFor(at(AttentionPath::Mha, 2'000'000), model(), 0, std::int64_t(2) << 30);
        QCOMPARE(remedies.front().title, QStringLiteral("Run with sdpa"));
        QCOMPARE(remedies.front().settings.pixels, 2'000'000);
    }

    void thePicturesOwnSizeIsKnown() {
        const auto remedies = remediesFor(
            at(AttentionPath::Sdpa, kNativePixels), model(), 1'000'000, std::int64_t(64) << 30);
        QCOMPARE(remedies.size(), 1U);
        QCOMPARE(remedies.front().settings.pixels, 900'000);
    }

    void nothingIsOfferedWhereNothingFits() {
        QVERIFY(remediesFor(at(AttentionPath::Mha, 0), model(), 0, 53 << 20).empty());
    }

    void withoutALimitHalfIsOffered() {
        const auto remedies = remediesFor(at(AttentionPath::Sdpa, 2'000'000), {}, 0, {});
        QCOMPARE(remedies.size(), 1U);
        QCOMPARE(remedies.front().settings.pixels, 900'000);
    }

    void namesTheLargestCategories() {
        MemorySample sample;
        QVERIFY(largestCategories(sample).isEmpty());
        sample.byCategory.at(std::size_t(MemoryCategory::MaskDecoder)) = std::int64_t(3) << 30;
        sample.byCategory.at(std::size_t(MemoryCategory::Weights)) = 52 << 20;
        QCOMPARE(largestCategories(sample),
            QStringLiteral("mask decoder 3.00\u00a0GiB, weights 52.0\u00a0MiB"));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::RemediesTest)
#include "remedies_test.moc"
