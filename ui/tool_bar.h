// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>

class QLabel;
class QSlider;

namespace maskscope {

class Actions;

/// The actions that are wanted most, the scale of the image and the opacity of the masks.
class ToolBar : public QToolBar {
    Q_OBJECT
public:
    ToolBar(const Actions& actions, QWidget* parent);

    /// `scale` is physical pixels per image pixel.
    void showScale(double scale);
    void setOpacity(int percent);

Q_SIGNALS:
    void opacityChanged(int percent);

private:
    void addIcon(QAction* action);

    QLabel* m_scale;
    QSlider* m_opacity;
};

} // namespace maskscope
