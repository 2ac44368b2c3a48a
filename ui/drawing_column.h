// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QList>
#include <QVBoxLayout>
#include <QWidget>

namespace maskscope {

/// A drawing below a row of what can be chosen for it: how it is drawn on the left, what can be
/// done with it on the right. Takes the widgets.
class DrawingColumn : public QWidget {
public:
    DrawingColumn(const QList<QWidget*>& left, const QList<QWidget*>& right, QWidget* drawing,
        QWidget* parent = nullptr)
        : QWidget(parent) {
        auto* choices = new QHBoxLayout;
        choices->setContentsMargins(10, 4, 10, 2);
        choices->setSpacing(14);
        for (QWidget* widget : left)
            choices->addWidget(widget);
        choices->addStretch(1);
        for (QWidget* widget : right)
            choices->addWidget(widget);
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        column->addLayout(choices);
        column->addWidget(drawing, 1);
    }
};

} // namespace maskscope
