// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/slider_marks.h"

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <utility>

namespace maskscope {

namespace {

constexpr int kTick = 4; ///< pixels

} // namespace

SliderMarks::SliderMarks(QSlider& slider, std::vector<Mark> marks, QWidget* parent)
    : QWidget(parent)
    , m_slider(slider)
    , m_marks(std::move(marks)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

QSize SliderMarks::sizeHint() const {
    return {100, kTick + fontMetrics().height()};
}

double SliderMarks::placeOf(int value) const {
    const int handle = m_slider.style()->pixelMetric(QStyle::PM_SliderLength, nullptr, &m_slider);
    return handle / 2.0
        + QStyle::sliderPositionFromValue(
            m_slider.minimum(), m_slider.maximum(), value, width() - handle);
}

void SliderMarks::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    for (const Mark& mark : m_marks) {
        const double x = placeOf(mark.value);
        painter.drawLine(QPointF(x, 0), QPointF(x, kTick - 1));
        const int advance = fontMetrics().horizontalAdvance(mark.title);
        painter.drawText(QPointF(x - advance / 2.0, kTick + fontMetrics().ascent()), mark.title);
    }
}

void SliderMarks::mousePressEvent(QMouseEvent* event) {
    const auto nearest = std::ranges::min_element(m_marks, {},
        [&](const Mark& mark) { return std::abs(placeOf(mark.value) - event->position().x()); });
    if (nearest != m_marks.end())
        m_slider.setValue(nearest->value);
}

} // namespace maskscope
