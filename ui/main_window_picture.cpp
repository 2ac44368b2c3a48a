// SPDX-License-Identifier: GPL-3.0-or-later
// Which picture the window shows: one that was opened, or that of a past run.
#include "ui/compare_page.h"
#include "ui/convert.h"
#include "ui/main_window.h"
#include "ui/message_bar.h"
#include "ui/pages.h"
#include "ui/past_runs.h"
#include "ui/run_display.h"
#include "ui/status_line.h"
#include "ui/workspace.h"

#include <utility>

namespace maskscope {

void MainWindow::useHistory(RunHistory& history) {
    m_pastRuns
        = new PastRuns({*this, m_session, m_settings, *m_workspace, m_actions}, history, m_reader);
    connect(m_pastRuns, &PastRuns::pictureChosen, this, &MainWindow::placePicture);
    connect(m_pastRuns, &PastRuns::pairChosen, this, [this](const PastPair& pair) {
        m_pages->setPage(Page::Compare);
        m_compare->showPast(pair);
    });
}

void MainWindow::showPicture(const std::shared_ptr<const Picture>& picture) {
    if (m_pastRuns)
        m_pastRuns->leaveReplay();
    placePicture(picture);
    QStringList notes;
    for (const std::string& note : picture->image->source.notes)
        notes += toQString(note);
    if (!notes.isEmpty())
        m_workspace->messages().showMessage(MessageBar::Kind::Note, notes.join(QChar(u' ')));
    if (m_workspace->tool() == Tool::Words)
        m_workspace->editRequest();
    if (std::exchange(m_runWhenOpen, false))
        run();
}

void MainWindow::placePicture(const std::shared_ptr<const Picture>& picture) {
    m_session.abandon();
    m_pages->setPage(Page::Segment);
    m_display->clear();
    m_workspace->messages().dismiss();
    m_workspace->setPicture(picture);
    setWindowTitle(picture ? tr("%1 – Maskscope").arg(picture->name) : tr("Maskscope"));
    m_status->showPicture(picture.get());
    updateActions();
}

} // namespace maskscope
