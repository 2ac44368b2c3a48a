// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace maskscope {

/// Fusion, but for what it draws too dark on dark windows (empty check boxes) or blurred on sharp
/// screens (the buttons of docks).
class Style : public QProxyStyle {
public:
    Style();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    QIcon standardIcon(StandardPixmap standardIcon, const QStyleOption* option,
        const QWidget* widget) const override;
};

} // namespace maskscope
