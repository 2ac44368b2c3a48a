// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels.h"

#include "ui/answer_view.h"
#include "ui/image_panel.h"
#include "ui/mask_list.h"
#include "ui/memory_panel.h"
#include "ui/run_panel.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Panels)
};

struct Place {
    Qt::DockWidgetArea area;
    const char* name;
    QString title;
    QKeySequence shortcut;
};

QDockWidget* addDock(QMainWindow& window, QWidget* content, const Place& place, QMenu& menu) {
    auto* dock = new QDockWidget(place.title, &window);
    dock->setObjectName(QString::fromLatin1(place.name));
    dock->setWidget(content);
    window.addDockWidget(place.area, dock);
    dock->toggleViewAction()->setShortcut(place.shortcut);
    menu.addAction(dock->toggleViewAction());
    return dock;
}

} // namespace

void dockPanels(QMainWindow& window, const Panels& panels, QMenu& menu) {
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window.setDockOptions(
        QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    QDockWidget* answer = addDock(window, panels.answer,
        {Qt::RightDockWidgetArea, "answerDock", Text::tr("Answer"),
            QKeySequence(Text::tr("Alt+1"))},
        menu);
    QDockWidget* masks = addDock(window, panels.masks,
        {Qt::RightDockWidgetArea, "maskDock", Text::tr("Objects"), QKeySequence(Text::tr("Alt+2"))},
        menu);
    QDockWidget* settings = addDock(window, panels.run,
        {Qt::RightDockWidgetArea, "runDock", Text::tr("Run settings"),
            QKeySequence(Text::tr("Alt+3"))},
        menu);
    QDockWidget* memory = addDock(window, panels.memory,
        {Qt::BottomDockWidgetArea, "memoryDock", Text::tr("Memory"),
            QKeySequence(Text::tr("Alt+4"))},
        menu);
    QDockWidget* images = addDock(window, panels.images,
        {Qt::LeftDockWidgetArea, "imageDock", Text::tr("Images"), QKeySequence(Text::tr("Alt+5"))},
        menu);
    images->hide();
    panels.answer->setFrameShape(QFrame::NoFrame);
    window.resizeDocks({answer, masks, settings}, {240, 240, 210}, Qt::Vertical);
    window.resizeDocks({answer}, {320}, Qt::Horizontal);
    window.resizeDocks({images}, {230}, Qt::Horizontal);
    window.resizeDocks({memory}, {220}, Qt::Vertical);
}

} // namespace maskscope
