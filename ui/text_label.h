// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>

namespace maskscope {

/// Text of people and models: never markup, as long as it is, and can be copied.
class TextLabel : public QLabel {
public:
    explicit TextLabel(const char* name, QWidget* parent = nullptr)
        : QLabel(parent) {
        setObjectName(QString::fromLatin1(name));
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
};

} // namespace maskscope
