// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background.h"

namespace maskscope {

Background::Background(QObject* parent)
    : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

Background::~Background() {
    m_pool.clear();
    m_pool.waitForDone();
}

} // namespace maskscope
