// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace maskscope {

/// Fusion, but for what it draws too dark on dark windows (empty check boxes), blurred on sharp
/// screens (the buttons of docks), too close (the arrow of a button's menu), so that it is misread
/// (scroll bars whose handle has the colour of the page), or the other way round (the arrow of a
/// sorted column).
class Style : public QProxyStyle {
public:
    Style();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
        QPainter* painter, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
        const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
        QStyleHintReturn* returned) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
        const QWidget* widget) const override;
    QIcon standardIcon(StandardPixmap standardIcon, const QStyleOption* option,
        const QWidget* widget) const override;

private:
    static void drawCheckBoxFrame(const QStyleOption& option, QPainter& painter);
    void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter) const;
};

} // namespace maskscope
