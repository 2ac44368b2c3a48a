// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/session.h"

#include <QWidget>

namespace maskscope {

/// What the middle of the window shows, one at a time. The window's keys and errors go to the page
/// that is shown.
class WindowPage : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void run() = 0;
    virtual void stop() = 0;
    /// Of what the page runs.
    virtual Session::State state() const = 0;
    virtual void showError(const Error& error) = 0;

Q_SIGNALS:
    void stateChanged(maskscope::Session::State state);
};

} // namespace maskscope
