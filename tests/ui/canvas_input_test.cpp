// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keys do to the view, and what they place.
#include "tests/ui/canvas_test.h"
#include "tests/ui/fake_job.h"

namespace maskscope {

class CanvasInputTest : public CanvasTest {
    Q_OBJECT

private Q_SLOTS:
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

    void wheelZoomsAtThePointer_data() {
        QTest::addColumn<int>("modifiers");
        QTest::newRow("alone") << int(Qt::NoModifier);
        QTest::newRow("with Ctrl") << int(Qt::ControlModifier);
    }
    void wheelZoomsAtThePointer() {
        QFETCH(int, modifiers);
        open(2000, 1500);
        const QPoint pointer(300, 100);
        const QPointF before = m_canvas->geometryOfImage().toImage(pointer);
        const double scale = m_canvas->geometryOfImage().scale();
        wheel(pointer, {0, 120}, Qt::KeyboardModifiers(modifiers));
        QCOMPARE(m_canvas->geometryOfImage().scale(), scale * 1.25);
        const QPointF moved = m_canvas->geometryOfImage().toView(before) - QPointF(pointer);
        QVERIFY(moved.manhattanLength() <= 1);
        wheel(pointer, {0, -120}, Qt::KeyboardModifiers(modifiers));
        QCOMPARE(m_canvas->geometryOfImage().scale(), scale);
    }

    void shiftWheelScrollsSideways() {
        open(2000, 1500);
        m_canvas->showActualSize();
        const QPointF origin = m_canvas->geometryOfImage().imageRect().topLeft();
        wheel({200, 100}, {0, -120}, Qt::ShiftModifier);
        const QPointF right = m_canvas->geometryOfImage().imageRect().topLeft() - origin;
        QVERIFY(right.x() < -20 && right.y() == 0);
        wheel({200, 100}, {120, 0}, Qt::ShiftModifier); // turned by the system
        QCOMPARE(m_canvas->geometryOfImage().imageRect().topLeft(), origin);
    }

    void aTouchpadScrollsBothWays() {
        open(2000, 1500);
        m_canvas->showActualSize();
        const QPointingDevice touchpad(QStringLiteral("touchpad"), 77,
            QInputDevice::DeviceType::TouchPad, QPointingDevice::PointerType::Finger,
            QInputDevice::Capability::Position, 2, 0);
        const QPointF origin = m_canvas->geometryOfImage().imageRect().topLeft();
        const double scale = m_canvas->geometryOfImage().scale();
        wheel({200, 100}, {-60, -120}, {}, touchpad);
        const QPointF moved = m_canvas->geometryOfImage().imageRect().topLeft() - origin;
        QCOMPARE(moved, QPointF(-24, -48));
        wheel({200, 100}, {0, 120}, Qt::ControlModifier, touchpad);
        QVERIFY(m_canvas->geometryOfImage().scale() > scale);
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

    void wordsToolSelectsMasks() {
        open(200, 150);
        m_masks->add(std::make_shared<const Mask>(ellipse(200, 150, 100, 75, 40, 40)));
        QTRY_VERIFY(m_masks->row(0).runs != nullptr);
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

QTEST_MAIN(maskscope::CanvasInputTest)
#include "canvas_input_test.moc"
