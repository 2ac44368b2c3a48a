// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_layer.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/ui_test.h"

#include <QPainter>

namespace maskscope {

namespace {

// One string a row, '#' is inside.
Mask maskOf(const QStringList& rows) {
    Mask mask;
    mask.width = static_cast<int>(rows.first().size());
    mask.height = static_cast<int>(rows.size());
    QRect box;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            const bool inside = rows.at(y).at(x) == u'#';
            mask.bits.push_back(inside ? 1 : 0);
            mask.area += inside ? 1 : 0;
            if (inside)
                box |= QRect(x, y, 1, 1);
        }
    mask.bbox = {box.x(), box.y(), box.width(), box.height()};
    return mask;
}

// Filling the outline without antialiasing sets exactly the pixels whose centre is inside.
Mask refilled(const Mask& mask, const QPainterPath& outline) {
    QImage image(mask.width, mask.height, QImage::Format_RGB32);
    image.fill(Qt::black);
    QPainter painter(&image);
    painter.fillPath(outline, Qt::white);
    painter.end();
    Mask result = mask;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            result.bits[static_cast<std::size_t>(y * mask.width + x)]
                = qRed(image.pixel(x, y)) != 0 ? 1 : 0;
    return result;
}

} // namespace

class MaskLayerTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void theOutlineEnclosesExactlyTheMask() {
        const Mask mask = maskOf({
            QStringLiteral("####.#"),
            QStringLiteral("#..#.."),
            QStringLiteral("#.##.#"),
            QStringLiteral("####.#"),
        });
        const QPainterPath outline = makeMaskLayer(mask, Qt::red).outline;
        QCOMPARE(outline.toSubpathPolygons().size(), 4); // ring, its hole, two parts
        QCOMPARE(refilled(mask, outline).bits, mask.bits);
    }

    void fillsOnlyTheBox() {
        const Mask mask = ellipse(60, 40, 30, 20, 10, 5);
        const MaskLayer layer = makeMaskLayer(mask, Qt::red);
        QCOMPARE(layer.rect, QRect(20, 15, 20, 10));
        QCOMPARE(layer.fill.size(), QSize(20, 10));
        QCOMPARE(layer.fill.pixel(10, 5), qRgba(255, 0, 0, 255));
        QCOMPARE(layer.fill.pixel(0, 0), qRgba(0, 0, 0, 0));
    }

    void anEmptyMaskHasNoLayer() {
        const MaskLayer layer = makeMaskLayer(maskOf({QStringLiteral("...")}), Qt::red);
        QVERIFY(layer.rect.isEmpty() && layer.fill.isNull() && layer.outline.isEmpty());
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::MaskLayerTest)
#include "mask_layer_test.moc"
