// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_overlay.h"

#include "tests/core/mask/drawn_mask.h"
#include "tests/ui/ui_test.h"

#include <cmath>

namespace maskscope {

namespace {

bool inMask(const Mask& mask, double x, double y) {
    return x >= 0 && y >= 0 && x < mask.width && y < mask.height
        && mask.bits[static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width)
               + static_cast<std::size_t>(x)]
        != 0;
}

const Mask& ringAndParts() {
    static const Mask mask = drawnMask({
        "####.#",
        "#..#..",
        "#.##.#",
        "####.#",
    });
    return mask;
}

constexpr QSize kView(70, 50);

} // namespace

class MaskOverlayTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void fillsThePixelsWhoseMiddleIsInside_data() {
        QTest::addColumn<QRectF>("place");
        QTest::newRow("one to one") << QRectF(3, 2, 6, 4);
        QTest::newRow("large") << QRectF(-11, 5, 60, 40);
        QTest::newRow("odd") << QRectF(2.3, 1.7, 6 * 3.7, 4 * 3.7);
        QTest::newRow("beyond the view") << QRectF(-1000, -700, 6 * 400, 4 * 400);
        QTest::newRow("small") << QRectF(20, 20, 3, 2);
    }
    void fillsThePixelsWhoseMiddleIsInside() {
        QFETCH(QRectF, place);
        const Mask& mask = ringAndParts();
        MaskOverlay overlay;
        overlay.begin(kView, place, QSizeF(mask.width, mask.height));
        overlay.fill(runsOf(mask), Qt::red, 1);
        for (int y = 0; y < kView.height(); ++y)
            for (int x = 0; x < kView.width(); ++x) {
                const double imageX = (x + 0.5 - place.x()) * mask.width / place.width();
                const double imageY = (y + 0.5 - place.y()) * mask.height / place.height();
                QCOMPARE(overlay.image().pixel(x, y),
                    inMask(mask, imageX, imageY) ? qRgb(255, 0, 0) : 0U);
            }
    }

    void blendsOneOverTheOther() {
        const Mask all = drawnMask({"##", "##"});
        MaskOverlay overlay;
        overlay.begin({2, 2}, QRectF(0, 0, 2, 2), QSizeF(2, 2));
        overlay.fill(runsOf(all), Qt::red, 0.5);
        overlay.fill(runsOf(all), Qt::blue, 0.5);
        // 0.5 blue over 0.5 red: alpha 0.75, of which a third is red. Premultiplied.
        const QRgb pixel = *reinterpret_cast<const QRgb*>(overlay.image().constScanLine(1));
        QVERIFY(std::abs(qAlpha(pixel) - 191) <= 1);
        QVERIFY(std::abs(qRed(pixel) - 64) <= 1);
        QVERIFY(std::abs(qBlue(pixel) - 128) <= 1);
        QCOMPARE(qGreen(pixel), 0);
    }

    // A line of two pixels colours exactly the pixels that have the border on one of their sides.
    void outlinesAllBorders_data() {
        QTest::addColumn<int>("scale");
        for (const int scale : {4, 5, 8})
            QTest::addRow("%d", scale) << scale;
    }
    void outlinesAllBorders() {
        QFETCH(int, scale);
        const Mask& mask = ringAndParts();
        const QPoint origin(7, 6);
        MaskOverlay overlay;
        overlay.begin(kView, QRectF(origin, QSize(mask.width, mask.height) * scale),
            QSizeF(mask.width, mask.height));
        overlay.outline(runsOf(mask), Qt::green, 1, 2);
        const auto inside = [&](int x, int y) {
            return inMask(mask, std::floor(double(x - origin.x()) / scale),
                std::floor(double(y - origin.y()) / scale));
        };
        for (int y = 1; y < kView.height() - 1; ++y)
            for (int x = 1; x < kView.width() - 1; ++x) {
                bool border = false;
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx)
                        border = border || inside(x, y) != inside(x + dx, y + dy);
                QCOMPARE(overlay.image().pixel(x, y), border ? qRgb(0, 255, 0) : 0U);
            }
    }

    void aSpeckIsStillMarked() {
        Mask speck = drawnMask({"#"});
        speck.width = speck.height = 1000;
        speck.bits.resize(1'000'000);
        MaskOverlay overlay;
        for (const double shift : {0.0, 0.3, 0.6}) {
            overlay.begin({20, 20}, QRectF(5 + shift, 5 + shift, 10, 10), QSizeF(1000, 1000));
            overlay.outline(runsOf(speck), Qt::green, 1, 2);
            QVERIFY(qAlpha(overlay.image().pixel(5, 5)) == 255);
        }
    }

    void forgetsWhatWasPainted() {
        MaskOverlay overlay;
        overlay.begin({2, 2}, QRectF(0, 0, 2, 2), QSizeF(2, 2));
        overlay.fill(runsOf(drawnMask({"##", "##"})), Qt::red, 1);
        overlay.begin({2, 2}, QRectF(0, 0, 2, 2), QSizeF(2, 2));
        QCOMPARE(overlay.image().pixel(0, 0), 0U);
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::MaskOverlayTest)
#include "mask_overlay_test.moc"
