// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's pages beside the segmentation need of it.
#include "ui/anatomy_dialog.h"
#include "ui/compare_page.h"
#include "ui/lab_page.h"
#include "ui/main_window.h"
#include "ui/memory_panel.h"
#include "ui/pages.h"
#include "ui/run_anatomy.h"
#include "ui/run_panel.h"
#include "ui/size_plan.h"
#include "ui/status_line.h"
#include "ui/workspace.h"

#include <QAction>

namespace maskscope {

void MainWindow::connectLab() {
    connect(m_pages, &Pages::pageChanged, this, [this](Page page) {
        m_status->setVisible(page == Page::Segment); // it tells of runs there
        if (page == Page::Lab)
            m_lab->setPicture(m_workspace->picture());
        updateActions();
    });
    connect(m_pages, &Pages::stateChanged, this, &MainWindow::updateActions);
    connect(m_lab, &LabPage::pixelsChosen, this, [this](qint64 pixels) {
        m_runPanel->setPixels(pixels);
        m_lab->showNote(tr("The Segment page now looks at images at %1 (Run settings, image size).")
                            .arg(megapixelText(pixels)));
    });
    connect(m_runPanel, &RunPanel::changed, m_lab,
        [this] { m_lab->setRunPath(m_runPanel->settings().attention); });
}

void MainWindow::connectCompare() {
    connect(m_pages, &Pages::pageChanged, this, [this](Page page) {
        if (page == Page::Compare)
            m_compare->setAsk(m_workspace->ask(m_runPanel->settings()));
    });
    connect(&m_session, &Session::modelLoaded, m_compare, &ComparePage::setModel);
}

void MainWindow::connectAnatomy(const std::filesystem::path& model) {
    new RunAnatomy(m_session, *m_workspace, *m_memory, *m_anatomy, model, this);
    connect(m_actions.peak, &QAction::triggered, m_memory, &MemoryPanel::choosePeak);
    connect(m_lab, &LabPage::anatomyWanted, m_anatomy, &AnatomyDialog::look);
    connect(m_compare, &ComparePage::anatomyWanted, m_anatomy, &AnatomyDialog::look);
}

} // namespace maskscope
