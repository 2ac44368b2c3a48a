// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_test.h"
#include "ui/canvas.h"
#include "ui/mask_model.h"

#include <QMouseEvent>
#include <QPointingDevice>
#include <QWheelEvent>
#include <memory>
#include <utility>
#include <vector>

namespace maskscope {

/// Base of the tests of the canvas: each has one of its own, which is shown, and hears what is
/// placed on it.
class CanvasTest : public UiTest {
    Q_OBJECT
protected:
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

    void wheel(QPoint position, QPoint angle, Qt::KeyboardModifiers modifiers,
        const QPointingDevice& device = *QPointingDevice::primaryPointingDevice()) {
        QWheelEvent event(position, m_canvas->mapToGlobal(position), {}, angle, Qt::NoButton,
            modifiers, Qt::NoScrollPhase, false, Qt::MouseEventNotSynthesized, &device);
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

protected Q_SLOTS:
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
};

} // namespace maskscope
