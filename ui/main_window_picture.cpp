// SPDX-License-Identifier: GPL-3.0-or-later
// Which picture the window shows: one of those that are open, or that of a past run.
#include "ui/canvas.h"
#include "ui/compare_page.h"
#include "ui/convert.h"
#include "ui/image_panel.h"
#include "ui/main_window.h"
#include "ui/message_bar.h"
#include "ui/pages.h"
#include "ui/past_runs.h"
#include "ui/run_display.h"
#include "ui/run_panel.h"
#include "ui/start_page.h"
#include "ui/status_line.h"
#include "ui/workspace.h"

#include <QAction>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

namespace maskscope {

void MainWindow::connectOpener() {
    connect(m_images, &OpenImages::started, this, [this](const QString& name) {
        m_runWhenOpen = m_runWhenOpen && m_opener->isScanning(); // for what is found
        m_status->showReady(tr("Opening %1…").arg(name));
    });
    connect(m_opener, &Opener::failed, this, [this](const Error& error) {
        m_status->showReady(tr("Ready"));
        showError(error);
        if (std::exchange(m_runWhenOpen, false))
            Q_EMIT runEnded();
    });
    connect(m_opener, &Opener::recentFilesChanged, this, &MainWindow::updateRecentFiles);
    connect(m_opener, &Opener::scanBegan, this, [this] {
        showImageList(); // it tells how far that is
        m_imagePanel->setScanning(true);
    });
    connect(m_opener, &Opener::scanEnded, this, [this] { m_imagePanel->setScanning(false); });
    connect(m_imagePanel, &ImagePanel::stopRequested, m_opener, &Opener::stopScan);
    const StartPage& page = m_workspace->startPage();
    connect(&page, &StartPage::openRequested, m_opener, &Opener::chooseFiles);
    connect(&page, &StartPage::folderRequested, m_opener, &Opener::chooseFolder);
    connect(&page, &StartPage::recentChosen, m_opener, &Opener::openPath);
    connect(&page, &StartPage::exampleChosen, this, &MainWindow::openExample);
}

void MainWindow::connectImages() {
    m_actions.setImageWidgets({&m_workspace->canvas(), &m_imagePanel->list()});
    connect(m_actions.nextImage, &QAction::triggered, this, [this] { m_images->showNeighbour(1); });
    connect(m_actions.previousImage, &QAction::triggered, this,
        [this] { m_images->showNeighbour(-1); });
    connect(m_actions.closeImage, &QAction::triggered, this, &MainWindow::closeImage);
    connect(m_actions.closeImages, &QAction::triggered, this, &MainWindow::closeImages);
    connect(m_images, &OpenImages::leaving, this, &MainWindow::keepWork);
    connect(m_images, &OpenImages::shown, this, &MainWindow::showPicture);
    connect(m_images, &OpenImages::currentChanged, this, &MainWindow::updateActions);
    connect(&m_images->model(), &QAbstractItemModel::rowsInserted, this,
        [this](const QModelIndex&, int first, int last) {
            if (first <= 1 && last >= 1) // now there are several
                showImageList();
        });
    connect(&m_session, &Session::runStarted, this, [this] {
        if (showsOpenImage())
            m_images->setState(ImageState::Running);
    });
    connect(m_display, &RunDisplay::failed, this, [this](const Error& error) {
        if (showsOpenImage())
            m_images->setState(ImageState::Failed, toQString(error.sentence));
    });
}

void MainWindow::useHistory(RunHistory& history) {
    m_pastRuns
        = new PastRuns({*this, m_session, m_settings, *m_workspace, m_actions}, history, m_reader);
    connect(m_pastRuns, &PastRuns::pictureChosen, this,
        [this](const std::shared_ptr<const Picture>& picture) {
            keepWork();
            placePicture(picture);
        });
    connect(m_pastRuns, &PastRuns::replayShown, m_runPanel, &RunPanel::showPast);
    connect(m_pastRuns, &PastRuns::replayLeft, m_runPanel, &RunPanel::showOwn);
    connect(m_compare, &ComparePage::measured, m_pastRuns, &PastRuns::keep);
    connect(m_pastRuns, &PastRuns::pairChosen, this, [this](const PastPair& pair) {
        m_pages->setPage(Page::Compare);
        m_compare->showPast(pair);
    });
}

bool MainWindow::showsOpenImage() const {
    return m_images->current() && m_workspace->picture()
        && m_workspace->picture() == m_images->picture();
}

void MainWindow::keepWork() {
    m_session.abandon();
    recordRun();
}

void MainWindow::showPicture(const std::shared_ptr<const Picture>& picture) {
    if (m_pastRuns)
        m_pastRuns->leaveReplay();
    placePicture(picture);
    if (!picture)
        return;
    tellNotes(*picture);
    // Whoever goes from image to image goes on.
    const bool steps = m_workspace->canvas().hasFocus() || m_imagePanel->list().hasFocus();
    if (m_workspace->tool() == Tool::Words && !steps)
        m_workspace->editRequest();
    if (std::exchange(m_runWhenOpen, false))
        run();
}

void MainWindow::placePicture(const std::shared_ptr<const Picture>& picture) {
    m_session.abandon();
    m_pages->setPage(Page::Segment);
    if (m_listIsDue)
        showImageList();
    m_workspace->messages().dismiss();
    const ImageWork work
        = picture && picture == m_images->picture() ? m_images->work() : ImageWork();
    m_display->show(work.answer, work.masks);
    m_workspace->setPicture(picture, work.prompting);
    QUndoStack* steps = showsOpenImage() ? m_images->steps() : nullptr;
    if (steps)
        m_steps.addStack(steps);
    m_steps.setActiveStack(steps);
    setWindowTitle(picture ? tr("%1 – Maskscope").arg(picture->name) : tr("Maskscope"));
    m_status->showPicture(picture.get());
    updateActions();
}

void MainWindow::tellNotes(const Picture& picture) {
    QStringList notes;
    for (const std::string& note : picture.image->source.notes)
        notes += toQString(note);
    if (!notes.isEmpty())
        m_workspace->messages().showMessage(MessageBar::Kind::Note, notes.join(QChar(u' ')));
}

void MainWindow::showImageList() {
    m_listIsDue = m_pages->page() != Page::Segment; // docks are that page's
    if (!m_listIsDue)
        m_imagePanel->parentWidget()->show();
}

void MainWindow::closeImage() {
    if (!m_images->current())
        return;
    const ImageModel::Entry& entry = m_images->model().entry(*m_images->current());
    askToClose(!wouldLose(*m_images->current())
            ? QString()
            : tr("The masks of “%1” are in no file and would be lost.").arg(entry.name),
        [this] { m_images->closeCurrent(); });
}

QString MainWindow::lossOfImages() {
    int lost = 0;
    for (int row = 0; row < m_images->model().rowCount(); ++row)
        lost += wouldLose(row) ? 1 : 0;
    if (lost == 0)
        return {};
    return lost == 1 ? tr("The masks of one image are in no file and would be lost.")
                     : tr("The masks of %1 images are in no file and would be lost.").arg(lost);
}

void MainWindow::closeImages() {
    askToClose(lossOfImages(), [this] { m_images->closeAll(); });
}

bool MainWindow::mayClose() {
    if (m_writer->isBusy()) {
        m_closesWhenWritten = true;
        m_status->showReady(tr("Writing…"));
        return false;
    }
    const QString loss = lossOfImages();
    if (loss.isEmpty() || m_mayLoseWork)
        return true;
    if (!findChild<QMessageBox*>())
        askToClose(loss, [this] {
            m_mayLoseWork = true;
            close();
        });
    return false;
}

void MainWindow::askToClose(const QString& loss, const std::function<void()>& close) {
    if (loss.isEmpty()) {
        close();
        return;
    }
    auto* question = new QMessageBox(
        QMessageBox::Question, tr("Close images"), loss, QMessageBox::Cancel, this);
    question->setTextFormat(Qt::PlainText);
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* yes
        = question->addButton(tr("&Close without saving"), QMessageBox::DestructiveRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(yes, &QPushButton::clicked, this, close);
    question->open();
}

} // namespace maskscope
