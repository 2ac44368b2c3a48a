// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/application.h"

#include <exception>

namespace maskscope {

Application::Application(int& argc, char** argv)
    : QApplication(argc, argv) { }

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (...) {
        Q_EMIT troubled(errorOf(std::current_exception()));
        return false;
    }
}

} // namespace maskscope
