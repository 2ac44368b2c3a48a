// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions.h"

#include <QByteArray>
#include <QStackedWidget>

class QMainWindow;
class QToolBar;

namespace maskscope {

class WindowPage;

/// The pages in the middle of the window and the bar that switches between them. Docks and the
/// other tool bars belong to the first page: they go with it and come back where they were.
class Pages : public QStackedWidget {
    Q_OBJECT
public:
    /// Adds its bar to the window, before other tool bars.
    Pages(QMainWindow& window, Actions& actions);

    /// In the order of Page.
    void addPage(WindowPage* page);
    WindowPage& current() const;
    void setPage(Page page);
    Page page() const { return static_cast<Page>(currentIndex()); }
    /// QMainWindow::saveState() of the first page.
    QByteArray layoutState() const;

Q_SIGNALS:
    void pageChanged(maskscope::Page page);
    /// What a page runs has begun or ended.
    void stateChanged();

private:
    /// Of the first page: docks and tool bars.
    QList<QWidget*> surroundings() const;
    void setSurroundingsEnabled(bool enabled);
    void showPage(Page page);

    QMainWindow& m_window;
    Actions& m_actions;
    QToolBar* m_bar;
    QByteArray m_state; // of the first page while another is shown
};

} // namespace maskscope
