// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings.h"

#include <QPalette>

namespace maskscope {

/// Switches the application between the desktop's palette and our own two. Where the desktop has
/// none (Qt's own grey would appear) the light one stands in.
class ThemeSwitch {
public:
    /// Sets the application's style. Before the first window is made.
    ThemeSwitch();
    void apply(Theme theme);

    static QPalette lightPalette();
    static QPalette darkPalette();

private:
    bool m_desktopHasPalette = false;
};

} // namespace maskscope
