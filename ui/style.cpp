// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style.h"

#include "ui/colours.h"
#include "ui/icons.h"

#include <QPainter>
#include <QStyleOption>
#include <algorithm>

namespace maskscope {

namespace {

constexpr int kLeastHandle = 28; ///< pixels of a scroll bar's handle
constexpr int kHandleMargin = 3;
constexpr int kBeforeArrow = 12; ///< pixels between a button's text and its menu's arrow

/// A part of a scroll bar that has a handle in a groove, and nothing at its ends.
QRect partOf(const QStyleOptionSlider& bar, QStyle::SubControl part) {
    const QRect all = bar.rect;
    const bool across = bar.orientation == Qt::Horizontal;
    const int length = across ? all.width() : all.height();
    const double range = double(bar.maximum) - bar.minimum;
    const double shown = range > 0 ? double(bar.pageStep) / (range + bar.pageStep) : 1;
    const int handle = std::min(length, std::max(kLeastHandle, int(length * shown)));
    const int begin = QStyle::sliderPositionFromValue(
        bar.minimum, bar.maximum, bar.sliderPosition, length - handle, bar.upsideDown);
    const auto piece = [&](int from, int to) {
        return across ? QRect(all.left() + from, all.top(), to - from, all.height())
                      : QRect(all.left(), all.top() + from, all.width(), to - from);
    };
    switch (part) {
    case QStyle::SC_ScrollBarGroove:
        return all;
    case QStyle::SC_ScrollBarSlider:
        return piece(begin, begin + handle);
    case QStyle::SC_ScrollBarSubPage:
        return piece(0, begin);
    case QStyle::SC_ScrollBarAddPage:
        return piece(begin + handle, length);
    default:
        return {};
    }
}

} // namespace

Style::Style()
    : QProxyStyle(QStringLiteral("Fusion")) { }

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
    const QWidget* widget) const {
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (element == PE_IndicatorHeaderArrow && header != nullptr) {
        // Fusion's arrow points down where values increase.
        QStyleOptionHeader turned = *header;
        if (header->sortIndicator != QStyleOptionHeader::None)
            turned.sortIndicator = header->sortIndicator == QStyleOptionHeader::SortUp
                ? QStyleOptionHeader::SortDown
                : QStyleOptionHeader::SortUp;
        QProxyStyle::drawPrimitive(element, &turned, painter, widget);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool focused
        = option->state & State_HasFocus && option->state & State_KeyboardFocusChange;
    if (element == PE_IndicatorCheckBox && !focused)
        drawCheckBoxFrame(*option, *painter);
}

void Style::drawCheckBoxFrame(const QStyleOption& option, QPainter& painter) {
    const auto group = option.state & State_Enabled ? QPalette::Active : QPalette::Disabled;
    const auto role = option.state & State_Enabled ? QPalette::PlaceholderText : QPalette::Text;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.palette.color(group, role));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
    QPainter* painter, const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && bar != nullptr)
        drawScrollBar(*bar, *painter);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void Style::drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter) const {
    painter.fillRect(bar.rect, bar.palette.color(QPalette::Window));
    if (bar.maximum <= bar.minimum)
        return;
    const bool touched = bar.activeSubControls & SC_ScrollBarSlider;
    const int alpha = touched && bar.state & State_Sunken ? 200
        : touched && bar.state & State_MouseOver          ? 165
                                                          : 130;
    const QRectF handle = partOf(bar, SC_ScrollBarSlider);
    const double margin = kHandleMargin;
    const bool across = bar.orientation == Qt::Horizontal;
    const QRectF inner = across ? handle.adjusted(1, margin, -1, -margin)
                                : handle.adjusted(margin, 1, -margin, -1);
    const double radius = std::min(inner.width(), inner.height()) / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(bar.palette.color(QPalette::WindowText), alpha));
    painter.drawRoundedRect(inner, radius, radius);
    painter.restore();
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
    SubControl part, const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && bar != nullptr)
        return visualRect(bar->direction, bar->rect, partOf(*bar, part));
    return QProxyStyle::subControlRect(control, option, part, widget);
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
    QStyleHintReturn* returned) const {
    if (hint == SH_Slider_AbsoluteSetButtons) // where it is clicked, there the slider goes
        return Qt::LeftButton;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

QSize Style::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const {
    QSize all = QProxyStyle::sizeFromContents(type, option, size, widget);
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (type == CT_PushButton && button && button->features & QStyleOptionButton::HasMenu)
        all.rwidth() += kBeforeArrow;
    return all;
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
