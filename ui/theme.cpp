// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include "ui/style.h"

#include <QApplication>

namespace maskscope {

namespace {

struct Tones {
    QRgb window, base, alternate, button, text, muted, disabled, highlight, light, mid, dark, link;
};

QPalette paletteOf(const Tones& tones) {
    QPalette palette(QColor(tones.text), QColor(tones.button), QColor(tones.light),
        QColor(tones.dark), QColor(tones.mid), QColor(tones.text), QColor(Qt::white),
        QColor(tones.base), QColor(tones.window));
    palette.setColor(QPalette::AlternateBase, QColor(tones.alternate));
    palette.setColor(QPalette::ToolTipBase, QColor(tones.base));
    palette.setColor(QPalette::ToolTipText, QColor(tones.text));
    palette.setColor(QPalette::PlaceholderText, QColor(tones.muted));
    palette.setColor(QPalette::Highlight, QColor(tones.highlight));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor(tones.link));
    palette.setColor(QPalette::LinkVisited, QColor(tones.link));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(tones.disabled));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(tones.mid));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(tones.disabled));
    return palette;
}

} // namespace

ThemeSwitch::ThemeSwitch() {
    auto* style = new Style; // the application's from now on
    QApplication::setStyle(style);
    m_desktopHasPalette = QApplication::palette() != style->standardPalette();
}

QPalette ThemeSwitch::lightPalette() {
    return paletteOf({.window = 0xf3f4f6,
        .base = 0xffffff,
        .alternate = 0xf6f7f9,
        .button = 0xf7f8fa,
        .text = 0x1d2129,
        .muted = 0x667080,
        .disabled = 0x9aa1ac,
        .highlight = 0x1f6fd6,
        .light = 0xffffff,
        .mid = 0xc3c8d0,
        .dark = 0x9ba2ad,
        .link = 0x1a5fb8});
}

QPalette ThemeSwitch::darkPalette() {
    return paletteOf({.window = 0x2b2f35,
        .base = 0x1b1d21,
        .alternate = 0x212429,
        .button = 0x363b42,
        .text = 0xe3e6ea,
        .muted = 0x98a0ab,
        .disabled = 0x6b727c,
        .highlight = 0x2f7fe6,
        .light = 0x454a52,
        .mid = 0x434951,
        .dark = 0x121417,
        .link = 0x6db1ff});
}

void ThemeSwitch::apply(Theme theme) {
    if (theme == Theme::Dark)
        QApplication::setPalette(darkPalette());
    else if (theme == Theme::System && m_desktopHasPalette)
        QApplication::setPalette(QPalette()); // follow the desktop, also when it changes
    else
        QApplication::setPalette(lightPalette());
}

} // namespace maskscope
