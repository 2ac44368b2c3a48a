// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_geometry.h"

#include "tests/ui/ui_test.h"

namespace maskscope {

class ImageGeometryTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void fitsInTheMiddle() {
        // 12 pixels of air on each side: (424 - 24) / 200 = 2, (324 - 24) / 100 = 3.
        const ImageGeometry geometry({200, 100}, {424, 324}, 1);
        QCOMPARE(geometry.zoom(), 2.0);
        QCOMPARE(geometry.imageRect(), QRectF(12, 62, 400, 200));
        QVERIFY(geometry.isFitted());
    }

    void mapsBothWays_data() {
        QTest::addColumn<double>("pixelRatio");
        QTest::addColumn<double>("scale");
        for (const double ratio : {1.0, 1.25, 1.5, 2.0})
            for (const double scale : {0.3, 1.0, 3.7, 64.0})
                QTest::addRow("ratio %.2f scale %.1f", ratio, scale) << ratio << scale;
    }
    void mapsBothWays() {
        QFETCH(double, pixelRatio);
        QFETCH(double, scale);
        const ImageGeometry geometry
            = ImageGeometry({640, 480}, {800, 600}, pixelRatio).withScale(scale, {400, 300});
        QCOMPARE(geometry.scale(), scale);
        QCOMPARE(geometry.zoom(), scale / pixelRatio);
        for (const QPointF image : {QPointF(0, 0), QPointF(320.5, 17.25), QPointF(640, 480)}) {
            const QPointF back = geometry.toImage(geometry.toView(image));
            QVERIFY(std::abs(back.x() - image.x()) < 1e-9 && std::abs(back.y() - image.y()) < 1e-9);
        }
        const QPointF step = geometry.toView(QPointF(11, 10)) - geometry.toView(QPointF(10, 10));
        QCOMPARE(step, QPointF(scale / pixelRatio, 0));
    }

    void zoomKeepsWhatIsUnderThePointer() {
        ImageGeometry geometry({4000, 3000}, {800, 600}, 2);
        const QPointF pointer(611, 203);
        const QPointF before = geometry.toImage(pointer);
        for (int i = 0; i < 12; ++i) {
            geometry = geometry.zoomedAt(pointer, 1.25);
            const QPointF moved = geometry.toView(before) - pointer;
            // The image begins on a whole physical pixel, so half of one may be lost, but never
            // adds up.
            QVERIFY(std::abs(moved.x()) <= 0.5 * (i + 1) && std::abs(moved.y()) <= 0.5 * (i + 1));
        }
    }

    void beginsOnAPhysicalPixel() {
        for (const double ratio : {1.0, 1.25, 2.0}) {
            const ImageGeometry geometry
                = ImageGeometry({333, 77}, {801, 603}, ratio).withScale(1, {123.4, 456.7});
            const QPointF origin = geometry.imageRect().topLeft() * ratio;
            QVERIFY(std::abs(origin.x() - std::round(origin.x())) < 1e-6);
            QVERIFY(std::abs(origin.y() - std::round(origin.y())) < 1e-6);
        }
    }

    void cannotBePushedOutOfSight() {
        const ImageGeometry geometry
            = ImageGeometry({200, 100}, {424, 324}, 1).panned({100'000, -100'000});
        QVERIFY(geometry.imageRect().contains(QPointF(212, 162)) // the middle of the view
            || geometry.imageRect().left() == 212 || geometry.imageRect().bottom() == 162);
        QVERIFY(!geometry.isFitted());
    }

    void zoomIsBounded() {
        ImageGeometry geometry({200, 100}, {424, 324}, 1);
        for (int i = 0; i < 100; ++i)
            geometry = geometry.zoomedAt({200, 150}, 2);
        QCOMPARE(geometry.scale(), ImageGeometry::kGreatestScale);
        for (int i = 0; i < 100; ++i)
            geometry = geometry.zoomedAt({200, 150}, 0.5);
        QVERIFY(geometry.scale() > 0.1 && geometry.imageRect().width() >= 40);
    }

    void resizingKeepsTheMiddleOrTheFit() {
        const ImageGeometry fitted({200, 100}, {424, 324}, 1);
        QVERIFY(fitted.resized({824, 624}, 1).isFitted());
        QCOMPARE(fitted.resized({824, 624}, 1).zoom(), 4.0);
        const ImageGeometry zoomed = fitted.withScale(10, {100, 100});
        const QPointF middle = zoomed.toImage({212, 162});
        const ImageGeometry resized = zoomed.resized({600, 500}, 1);
        QCOMPARE(resized.zoom(), 10.0);
        const QPointF moved = resized.toImage({300, 250}) - middle;
        QVERIFY(std::abs(moved.x()) <= 0.05 && std::abs(moved.y()) <= 0.05);
    }

    void clampsToTheImage() {
        const ImageGeometry geometry({200, 100}, {424, 324}, 1);
        QCOMPARE(geometry.clampedToImage({-5, 40}), QPointF(0, 40));
        const QPointF far = geometry.clampedToImage({900, 900});
        QVERIFY(far.x() < 200 && far.x() > 199.99 && far.y() < 100 && far.y() > 99.99);
    }

    void anEmptyViewIsHarmless() {
        const ImageGeometry geometry({200, 100}, {0, 0}, 1);
        QVERIFY(geometry.isEmpty());
        QCOMPARE(geometry.zoomedAt({0, 0}, 2).zoom(), geometry.zoom());
        QCOMPARE(geometry.resized({424, 324}, 1).zoom(), 2.0);
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::ImageGeometryTest)
#include "image_geometry_test.moc"
