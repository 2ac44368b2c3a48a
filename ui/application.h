// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QApplication>

namespace maskscope {

/// A QApplication that outlives an exception in a slot or an event handler: it is told instead.
class Application : public QApplication {
    Q_OBJECT
public:
    Application(int& argc, char** argv);

    bool notify(QObject* receiver, QEvent* event) override;

Q_SIGNALS:
    void troubled(const maskscope::Error& error);
};

} // namespace maskscope
