// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tool_bar.h"

#include "ui/actions.h"

#include <QLabel>
#include <QSlider>
#include <QToolButton>

namespace maskscope {

ToolBar::ToolBar(const Actions& actions, QWidget* parent)
    : QToolBar(tr("Tools"), parent)
    , m_scale(new QLabel(this))
    , m_opacity(new QSlider(Qt::Horizontal, this)) {
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setIconSize({20, 20});
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setContextMenuPolicy(Qt::PreventContextMenu);

    m_scale->setObjectName(QStringLiteral("scaleLabel"));
    m_scale->setMinimumWidth(
        m_scale->fontMetrics().horizontalAdvance(QStringLiteral("6400 %")) + 8);
    m_scale->setAlignment(Qt::AlignCenter);
    m_scale->setToolTip(tr("How many of the screen's pixels an image pixel takes"));
    m_opacity->setObjectName(QStringLiteral("opacitySlider"));
    m_opacity->setRange(0, 100);
    m_opacity->setFixedWidth(110);
    m_opacity->setToolTip(tr("Opacity of the masks"));
    m_opacity->setAccessibleName(tr("Opacity of the masks"));

    addAction(actions.open);
    addSeparator();
    addActions({actions.words, actions.points, actions.box});
    addSeparator();
    addIcon(actions.zoomOut);
    addWidget(m_scale);
    for (QAction* action : {actions.zoomIn, actions.fit, actions.actualSize})
        addIcon(action);
    addSeparator();
    addIcon(actions.hideMasks);
    addIcon(actions.outlineMasks);
    addWidget(m_opacity);
    connect(m_opacity, &QSlider::valueChanged, this, &ToolBar::opacityChanged);
}

void ToolBar::addIcon(QAction* action) {
    addAction(action);
    qobject_cast<QToolButton*>(widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonIconOnly);
}

void ToolBar::showScale(double scale) {
    m_scale->setText(tr("%1 %").arg(scale * 100, 0, 'f', scale < 0.1 ? 1 : 0));
}

void ToolBar::setOpacity(int percent) {
    m_opacity->setValue(percent);
}

} // namespace maskscope
