// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/ui_test.h"
#include "ui/colours.h"
#include "ui/mask_model.h"

#include <QSignalSpy>
#include <QWheelEvent>

namespace maskscope {

class CanvasTest : public UiTest {
    Q_OBJECT

    std::unique_ptr<MaskModel> m_masks;
    std::unique_ptr<Canvas> m_canvas;
    std::vector<PointPrompt> m_points;
    std::vector<std::pair<BoxPrompt, BoxOrder>> m_boxes;

    void open(int width, int height) {
        m_canvas->setPicture(makePicture(gradient(width, height), QStringLiteral("x"), {}));
    }

    // The logical pixel of the canvas whose middle shows the middle of an image pixel.
    QPoint at(int x, int y) const {
        return m_canvas->geometryOfImage().toView(QPointF(x + 0.5, y + 0.5)).toPoint();
    }

    void wheel(QPoint position, int angle, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(position, m_canvas->mapToGlobal(position), {}, {0, angle}, Qt::NoButton,
            modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_canvas.get(), &event);
    }

    void drag(
        QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(m_canvas.get(), button, modifiers, from);
        for (int i = 1; i <= 4; ++i) {
            const QPoint way = from + (to - from) * i / 4;
            QMouseEvent move(QEvent::MouseMove, way, m_canvas->mapToGlobal(way), Qt::NoButton,
                button, modifiers);
            QApplication::sendEvent(m_canvas.get(), &move);
        }
        QTest::mouseRelease(m_canvas.get(), button, modifiers, to);
    }

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_points.clear();
        m_boxes.clear();
        m_masks = std::make_unique<MaskModel>();
        m_canvas = std::make_unique<Canvas>(*m_masks);
        m_canvas->resize(424, 324);
        m_canvas->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
        connect(m_canvas.get(), &Canvas::pointPlaced, this,
            [this](const PointPrompt& point) { m_points.push_back(point); });
        connect(m_canvas.get(), &Canvas::boxDrawn, this,
            [this](const BoxPrompt& box, BoxOrder order) { m_boxes.emplace_back(box, order); });
    }
    void cleanup() {
        m_canvas.reset();
        m_masks.reset();
    }

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

    void signsOfPoints() {
        open(200, 150);
        m_canvas->setTool(Tool::Points);
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(100, 70));
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, at(100, 70));
        QTest::mouseClick(m_canvas.get(), Qt::RightButton, {}, at(100, 70));
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, QPoint(2, 2)); // beside the image
        QCOMPARE(m_points.size(), std::size_t(3));
        QVERIFY(m_points.at(0).sign == PointSign::Positive);
        QVERIFY(m_points.at(1).sign == PointSign::Negative);
        QVERIFY(m_points.at(2).sign == PointSign::Negative);
    }

    void drawsABox() {
        open(200, 150);
        m_canvas->setTool(Tool::Box);
        drag(at(40, 30), at(120, 90), Qt::LeftButton);
        QCOMPARE(m_boxes.size(), std::size_t(1));
        const BoxPrompt box = m_boxes.front().first;
        QVERIFY(std::abs(box.x0 - 40.5) < 1 && std::abs(box.y0 - 30.5) < 1);
        QVERIFY(std::abs(box.x1 - 120.5) < 1 && std::abs(box.y1 - 90.5) < 1);
        QVERIFY(m_boxes.front().second == BoxOrder::Replace);
        drag(at(120, 90), QPoint(9000, 9000), Qt::LeftButton, Qt::ControlModifier);
        QVERIFY(m_boxes.at(1).second == BoxOrder::Another);
        QVERIFY(m_boxes.at(1).first.x1 <= 200 && m_boxes.at(1).first.y1 <= 150); // kept inside
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(50, 50)); // no box
        QCOMPARE(m_boxes.size(), std::size_t(2));
    }

    void escapeGivesABoxUp() {
        open(200, 150);
        m_canvas->setTool(Tool::Box);
        QTest::mousePress(m_canvas.get(), Qt::LeftButton, {}, at(40, 30));
        QTest::keyClick(m_canvas.get(), Qt::Key_Escape);
        QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, {}, at(120, 90));
        QVERIFY(m_boxes.empty());
    }

    void controlWheelZoomsAtThePointer() {
        open(2000, 1500);
        const QPoint pointer(300, 100);
        const QPointF before = m_canvas->geometryOfImage().toImage(pointer);
        const double scale = m_canvas->geometryOfImage().scale();
        wheel(pointer, 120, Qt::ControlModifier);
        QCOMPARE(m_canvas->geometryOfImage().scale(), scale * 1.25);
        const QPointF moved = m_canvas->geometryOfImage().toView(before) - QPointF(pointer);
        QVERIFY(moved.manhattanLength() <= 1);
        wheel(pointer, -120, Qt::ControlModifier);
        QCOMPARE(m_canvas->geometryOfImage().scale(), scale);
    }

    void wheelScrollsAndShiftWheelSideways() {
        open(2000, 1500);
        m_canvas->showActualSize();
        const QPointF origin = m_canvas->geometryOfImage().imageRect().topLeft();
        wheel({200, 100}, -120, {});
        const QPointF down = m_canvas->geometryOfImage().imageRect().topLeft() - origin;
        QVERIFY(down.y() < -20 && down.x() == 0);
        wheel({200, 100}, -120, Qt::ShiftModifier);
        const QPointF right = m_canvas->geometryOfImage().imageRect().topLeft() - origin;
        QVERIFY(right.x() < -20 && right.y() == down.y());
    }

    void middleButtonAndSpacePan() {
        open(2000, 1500);
        m_canvas->setTool(Tool::Points);
        m_canvas->showActualSize();
        const QPointF origin = m_canvas->geometryOfImage().imageRect().topLeft();
        drag({200, 100}, {240, 128}, Qt::MiddleButton);
        QCOMPARE(m_canvas->geometryOfImage().imageRect().topLeft() - origin, QPointF(40, 28));
        m_canvas->setFocus();
        QTest::keyPress(m_canvas.get(), Qt::Key_Space);
        drag({240, 128}, {200, 100}, Qt::LeftButton);
        QTest::keyRelease(m_canvas.get(), Qt::Key_Space);
        QCOMPARE(m_canvas->geometryOfImage().imageRect().topLeft(), origin);
        QVERIFY(m_points.empty());
    }

    void keysPlacePointsAndBoxes() {
        open(200, 150);
        m_canvas->setTool(Tool::Points);
        m_canvas->setFocus();
        QTest::keyClick(m_canvas.get(), Qt::Key_Return); // no cross yet: not ours
        QVERIFY(m_points.empty());
        QTest::keyClick(m_canvas.get(), Qt::Key_Left); // brings the cross
        QTest::keyClick(m_canvas.get(), Qt::Key_Left);
        QTest::keyClick(m_canvas.get(), Qt::Key_Return);
        QTest::keyClick(m_canvas.get(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(m_points.size(), std::size_t(2));
        QVERIFY(m_points.front().x < 100 && m_points.front().x > 90);
        QVERIFY(m_points.at(1).sign == PointSign::Negative);
        m_canvas->setTool(Tool::Box);
        QTest::keyClick(m_canvas.get(), Qt::Key_Down);
        QTest::keyClick(m_canvas.get(), Qt::Key_Return);
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(m_canvas.get(), Qt::Key_Right);
            QTest::keyClick(m_canvas.get(), Qt::Key_Down);
        }
        QTest::keyClick(m_canvas.get(), Qt::Key_Return);
        QCOMPARE(m_boxes.size(), std::size_t(1));
        QVERIFY(m_boxes.front().first.x1 > m_boxes.front().first.x0);
    }

    void paintsMasksWithTheirOpacity() {
        open(200, 150);
        m_masks->add(std::make_shared<const Mask>(ellipse(200, 150, 100, 75, 40, 40)));
        QTRY_VERIFY(m_masks->row(0).layer != nullptr);
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

    void wordsToolSelectsMasks() {
        open(200, 150);
        m_masks->add(std::make_shared<const Mask>(ellipse(200, 150, 100, 75, 40, 40)));
        std::optional<int> clicked = 7;
        connect(m_canvas.get(), &Canvas::maskClicked, this, [&](auto row) { clicked = row; });
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(100, 75));
        QCOMPARE(clicked.value_or(-1), 0);
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(5, 5));
        QVERIFY(!clicked.has_value());
        QVERIFY(m_points.empty());
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::CanvasTest)
#include "canvas_test.moc"
