// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <QString>
#include <vector>

namespace maskscope {

/// Values below a horizontal slider that is as wide as this and lies over it; a click on one sets
/// it.
class SliderMarks : public QWidget {
    Q_OBJECT
public:
    struct Mark {
        int value = 0;
        QString title;
    };

    /// The slider, whose range is set, outlives it.
    SliderMarks(QSlider& slider, std::vector<Mark> marks, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    /// Where the handle's middle lies at that value.
    double placeOf(int value) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QSlider& m_slider;
    std::vector<Mark> m_marks;
};

} // namespace maskscope
