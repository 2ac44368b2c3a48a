// SPDX-License-Identifier: GPL-3.0-or-later
// What is clicked is what is seen, and what is painted lies on its pixels, at every scale.
#include "tests/ui/canvas_test.h"
#include "tests/ui/fake_job.h"
#include "ui/colours.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace maskscope {

class CanvasPixelsTest : public CanvasTest {
    Q_OBJECT

private Q_SLOTS:
    void clicksHitThePixelThatIsSeen_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {0.5, 1.0, 2.0, 7.3, 40.0})
            QTest::addRow("%.1f", scale) << scale;
    }
    // Colours tell the truth: the gradient's pixel (x, y) is painted as (x, y, 128).
    void clicksHitThePixelThatIsSeen() {
        QFETCH(double, scale);
        open(200, 150);
        m_canvas->setTool(Tool::Points);
        m_canvas->showActualSize();
        for (int i = 0; i < 40 && m_canvas->geometryOfImage().scale() < scale; ++i)
            m_canvas->zoomIn();
        while (m_canvas->geometryOfImage().scale() > scale * 1.3)
            m_canvas->zoomOut();
        const QImage screen = m_canvas->grab().toImage();
        const double ratio = screen.devicePixelRatio();
        const double shown = m_canvas->geometryOfImage().scale();
        // Multiples of 4 lie on a physical pixel at any of the tested factors.
        for (const QPoint position : {QPoint(212, 160), QPoint(192, 168), QPoint(228, 140)}) {
            if (!m_canvas->geometryOfImage().imageRect().contains(QRectF(position, QSize(1, 1))))
                continue;
            m_points.clear();
            QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, position);
            QCOMPARE(m_points.size(), std::size_t(1));
            const QColor seen = screen.pixelColor((QPointF(position) * ratio).toPoint());
            // Where pixels are smoothed or smaller than the screen's, a neighbour is as right.
            const int slack = shown >= 2 ? 0 : shown >= 1 ? 1 : 2;
            QVERIFY2(std::abs(seen.red() - std::floor(m_points.front().x)) <= slack
                    && std::abs(seen.green() - std::floor(m_points.front().y)) <= slack,
                qPrintable(QStringLiteral("seen %1,%2, clicked %3,%4 at %5")
                               .arg(seen.red())
                               .arg(seen.green())
                               .arg(m_points.front().x)
                               .arg(m_points.front().y)
                               .arg(shown)));
        }
    }

    void atActualSizeThePixelsCentreIsMeant() {
        open(200, 150);
        m_canvas->setTool(Tool::Points);
        m_canvas->showActualSize();
        const double ratio = m_canvas->devicePixelRatioF();
        const QPointF origin = m_canvas->geometryOfImage().imageRect().topLeft();
        const QPoint position(212, 160);
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, position);
        QCOMPARE(m_points.front().x, std::round((position.x() - origin.x()) * ratio) + 0.5);
        QCOMPARE(m_points.front().y, std::round((position.y() - origin.y()) * ratio) + 0.5);
    }

    // At 125 % and 150 % a widget within a window may begin between two pixels of the screen.
    void inAWindowThePixelThatIsSeenIsHit() {
        m_canvas.reset();
        QWidget window;
        window.resize(440, 340);
        auto* canvas = new Canvas(*m_masks, &window);
        canvas->setGeometry(7, 5, 424, 324);
        canvas->setTool(Tool::Points);
        std::optional<PointPrompt> clicked;
        connect(canvas, &Canvas::pointPlaced, this, [&](const auto& point) { clicked = point; });
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        canvas->setPicture(makePicture(gradient(200, 150), QStringLiteral("x"), {}));
        canvas->showActualSize();
        const QImage screen = window.grab().toImage();
        for (const QPoint position : {QPoint(213, 159), QPoint(193, 167), QPoint(241, 139)}) {
            QTest::mouseClick(canvas, Qt::LeftButton, {}, position);
            const QPointF inWindow = position + QPointF(7, 5);
            const QColor seen = screen.pixelColor((inWindow * screen.devicePixelRatio()).toPoint());
            QVERIFY(clicked.has_value());
            QCOMPARE(seen, QColor(int(clicked->x), int(clicked->y), 128));
        }
    }

    // The far corner of a large image, where rounded steps over the whole of it would be wrong.
    void farFromTheCornerThePixelIsStillRight() {
        m_canvas->setPicture(makePicture(gradient(16384, 300), QStringLiteral("x"), {}));
        m_canvas->setTool(Tool::Points);
        m_canvas->showActualSize();
        for (int i = 0; i < 9; ++i)
            m_canvas->zoomIn(); // to 745 %
        for (int i = 0; i < 340; ++i)
            drag({400, 100}, {20, 100}, Qt::MiddleButton);
        const QImage screen = m_canvas->grab().toImage();
        const QPoint position(200, 160);
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, position);
        QVERIFY(m_points.front().x > 16000);
        const QColor seen
            = screen.pixelColor((QPointF(position) * screen.devicePixelRatio()).toPoint());
        QCOMPARE(seen.red(), int(m_points.front().x) % 256);
        QCOMPARE(seen.green(), int(m_points.front().y) % 256);
    }

    void masksLieExactlyOnTheirPixels_data() {
        QTest::addColumn<int>("steps");
        for (const int steps : {0, 3, 5, 9})
            QTest::addRow("%d", steps) << steps;
    }
    void masksLieExactlyOnTheirPixels() {
        QFETCH(int, steps);
        open(200, 150);
        const Mask mask = ellipse(200, 150, 100, 75, 30, 20);
        m_masks->add(std::make_shared<const Mask>(mask));
        QTRY_VERIFY(m_masks->row(0).runs != nullptr);
        m_canvas->setMaskOpacity(100);
        m_canvas->showActualSize();
        for (int i = 0; i < steps; ++i)
            m_canvas->zoomIn();
        const QImage screen = m_canvas->grab().toImage();
        const double ratio = screen.devicePixelRatio();
        const QPointF origin = m_canvas->geometryOfImage().imageRect().topLeft() * ratio;
        const double scale = m_canvas->geometryOfImage().scale();
        for (int y = 0; y < screen.height(); ++y)
            for (int x = 0; x < screen.width(); ++x) {
                const int column = int(std::floor((x + 0.5 - origin.x()) / scale));
                const int row = int(std::floor((y + 0.5 - origin.y()) / scale));
                if (column < 0 || row < 0 || column >= 200 || row >= 150)
                    continue;
                const bool inside = mask.bits[std::size_t(row * 200 + column)] != 0;
                // The line along the border takes at most 4 logical pixels on either side.
                const int reach = int(std::ceil(4 * ratio / scale));
                bool nearBorder = false;
                for (const QPoint step : {QPoint(reach, 0), QPoint(-reach, 0), QPoint(0, reach),
                         QPoint(0, -reach), QPoint(reach, reach), QPoint(-reach, -reach),
                         QPoint(reach, -reach), QPoint(-reach, reach)}) {
                    const int there = std::clamp(row + step.y(), 0, 149) * 200
                        + std::clamp(column + step.x(), 0, 199);
                    nearBorder = nearBorder || (mask.bits[std::size_t(there)] != 0) != inside;
                }
                if (!nearBorder)
                    QCOMPARE(screen.pixelColor(x, y) == colourOfMask(0), inside);
            }
    }

    void theGridLiesBetweenLargePixels() {
        open(20, 15);
        m_canvas->showActualSize();
        const auto whole = [this] { return m_canvas->grab().toImage(); };
        const QImage small = whole();
        m_canvas->setPixelGrid(PixelGrid::Hidden);
        QCOMPARE(whole(), small); // at 100 % there is none
        m_canvas->fit(); // 20 logical pixels each
        const QImage without = whole();
        m_canvas->setPixelGrid(PixelGrid::Shown);
        const QImage with = whole();
        const double ratio = with.devicePixelRatio();
        const ImageGeometry& geometry = m_canvas->geometryOfImage();
        const auto differs = [&](QPointF image) {
            const QPointF view = geometry.toView(image) * ratio;
            const QPoint pixel(qRound(view.x()), qRound(view.y()));
            return with.pixel(pixel) != without.pixel(pixel);
        };
        QVERIFY(differs({7, 4.5}) && differs({7.5, 4}) && differs({1, 1}));
        QVERIFY(!differs({7.5, 4.5}) && !differs({7.25, 4.75}));
    }

    void paintsMasksWithTheirOpacity() {
        open(200, 150);
        m_masks->add(std::make_shared<const Mask>(ellipse(200, 150, 100, 75, 40, 40)));
        QTRY_VERIFY(m_masks->row(0).runs != nullptr);
        const auto colourAt = [this](int x, int y) {
            const QImage screen = m_canvas->grab().toImage();
            return screen.pixelColor((QPointF(at(x, y)) * screen.devicePixelRatio()).toPoint());
        };
        m_canvas->setMaskOpacity(100);
        QCOMPARE(colourAt(100, 75), colourOfMask(0));
        QVERIFY(std::abs(colourAt(20, 20).red() - 20) <= 1); // outside nothing changes
        m_canvas->setMaskOpacity(50);
        QVERIFY(std::abs(colourAt(100, 75).red() - (100 + colourOfMask(0).red()) / 2) <= 2);
        m_canvas->setMaskStyle(MaskStyle::Outlined);
        QVERIFY(std::abs(colourAt(100, 75).red() - 100) <= 1);
        m_canvas->setMaskStyle(MaskStyle::Filled);
        m_masks->setAllVisible(Visibility::Hidden);
        QVERIFY(std::abs(colourAt(100, 75).red() - 100) <= 1);
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::CanvasPixelsTest)
#include "canvas_pixels_test.moc"
