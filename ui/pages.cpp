// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages.h"

#include "ui/window_page.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QToolBar>

namespace maskscope {

Pages::Pages(QMainWindow& window, Actions& actions)
    : QStackedWidget(&window)
    , m_window(window)
    , m_actions(actions)
    , m_bar(window.addToolBar(tr("Pages"))) {
    setObjectName(QStringLiteral("pages"));
    m_bar->setObjectName(QStringLiteral("pageBar"));
    m_bar->setMovable(false);
    m_bar->setIconSize({20, 20});
    m_bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_bar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_bar->addActions({actions.segmentPage, actions.labPage, actions.comparePage});
    m_bar->toggleViewAction()->setEnabled(false);
    connect(&actions, &Actions::pageChosen, this, &Pages::setPage);
    actions.setPage(Page::Segment);
}

void Pages::addPage(WindowPage* page) {
    addWidget(page);
    connect(page, &WindowPage::stateChanged, this, &Pages::stateChanged);
    showPage(this->page());
}

WindowPage& Pages::current() const {
    return static_cast<WindowPage&>(*currentWidget()); // only addPage() adds
}

void Pages::showPage(Page page) {
    // Only the page that is shown says how small the window may be.
    for (int i = 0; i < count(); ++i) {
        const auto policy
            = i == static_cast<int>(page) ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        widget(i)->setSizePolicy(policy, policy);
    }
    setCurrentIndex(static_cast<int>(page));
}

QList<QWidget*> Pages::surroundings() const {
    QList<QWidget*> found;
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>())
        found += dock;
    for (QToolBar* bar : m_window.findChildren<QToolBar*>())
        if (bar != m_bar)
            found += bar;
    return found;
}

void Pages::setSurroundingsEnabled(bool enabled) {
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>())
        dock->toggleViewAction()->setEnabled(enabled);
}

void Pages::setPage(Page page) {
    m_actions.setPage(page);
    if (page == this->page())
        return;
    if (page == Page::Segment) {
        showPage(page);
        setSurroundingsEnabled(true);
        m_window.restoreState(m_state);
        m_state.clear();
    } else {
        if (m_state.isEmpty()) // not from a third one
            m_state = m_window.saveState();
        setSurroundingsEnabled(false);
        for (QWidget* widget : surroundings())
            widget->hide();
        showPage(page);
    }
    Q_EMIT pageChanged(page);
}

QByteArray Pages::layoutState() const {
    return m_state.isEmpty() ? m_window.saveState() : m_state;
}

} // namespace maskscope
