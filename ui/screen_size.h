// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QSize>
#include <QWidget>

namespace maskscope {

/// As large as wanted, but not larger than the screen leaves a window.
inline QSize onScreen(const QWidget& widget, const QSize& wanted) {
    constexpr double kShare = 0.95; // the window's frame takes the rest
    return widget.screen() != nullptr
        ? wanted.boundedTo((QSizeF(widget.screen()->availableSize()) * kShare).toSize())
        : wanted;
}

} // namespace maskscope
