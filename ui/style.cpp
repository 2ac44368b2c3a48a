// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style.h"

#include "ui/icons.h"

#include <QPainter>
#include <QStyleOption>

namespace maskscope {

Style::Style()
    : QProxyStyle(QStringLiteral("Fusion")) { }

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
    const QWidget* widget) const {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool focused
        = option->state & State_HasFocus && option->state & State_KeyboardFocusChange;
    if (element != PE_IndicatorCheckBox || focused)
        return;
    const auto group = option->state & State_Enabled ? QPalette::Active : QPalette::Disabled;
    const auto role = option->state & State_Enabled ? QPalette::PlaceholderText : QPalette::Text;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(option->palette.color(group, role));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
    painter->restore();
}

QIcon Style::standardIcon(
    StandardPixmap standardIcon, const QStyleOption* option, const QWidget* widget) const {
    switch (standardIcon) {
    case SP_TitleBarNormalButton:
        return icon(QStringLiteral("float"), QPalette::WindowText);
    case SP_TitleBarCloseButton:
        return icon(QStringLiteral("close"), QPalette::WindowText);
    default:
        return QProxyStyle::standardIcon(standardIcon, option, widget);
    }
}

} // namespace maskscope
