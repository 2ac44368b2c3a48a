// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/application.h"

#include <QImageReader>
#include <exception>

namespace maskscope {

Application::Application(int& argc, char** argv)
    : QApplication(argc, argv) {
    // Pasted pixels come as a file that Qt decodes: its own limit is 67 megapixels, ours is 200.
    constexpr int kMostMebibytes = 1024;
    QImageReader::setAllocationLimit(kMostMebibytes);
}

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (...) {
        Q_EMIT troubled(errorOf(std::current_exception()));
        return false;
    }
}

} // namespace maskscope
