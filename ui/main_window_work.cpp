// SPDX-License-Identifier: GPL-3.0-or-later
// What is done on the image that is shown, step by step, and taking it back.
#include "ui/answer_view.h"
#include "ui/canvas.h"
#include "ui/convert.h"
#include "ui/export_dialog.h"
#include "ui/main_window.h"
#include "ui/mask_list.h"
#include "ui/message_bar.h"
#include "ui/prompt_bar.h"
#include "ui/run_display.h"
#include "ui/workspace.h"

#include <QAction>
#include <QFileInfo>
#include <QStandardPaths>
#include <utility>

namespace maskscope {

void MainWindow::connectWork() {
    m_actions.setObjectWidgets({&m_workspace->canvas(), m_list});
    connect(m_actions.undo, &QAction::triggered, this, [this] {
        recordEndedRun();
        m_steps.undo();
    });
    connect(m_actions.redo, &QAction::triggered, this, [this] {
        recordEndedRun();
        m_steps.redo();
    });
    const auto tellSteps = [this] {
        m_actions.setSteps(m_steps.undoText(), m_steps.redoText());
        updateActions();
    };
    connect(&m_steps, &QUndoGroup::undoTextChanged, this, tellSteps);
    connect(&m_steps, &QUndoGroup::redoTextChanged, this, tellSteps);
    connect(&m_steps, &QUndoGroup::indexChanged, this, tellSteps);
    connect(m_workspace, &Workspace::promptsChanged, this, [this] {
        if (m_workspace->prompts().isEmpty())
            m_masks.keepPrompted();
    });
    connect(m_actions.clearPrompts, &QAction::triggered, this, [this] {
        recordEndedRun();
        m_workspace->clearPrompts();
        record(WorkStep::Kind::Edit, tr("next object"));
    });
    connect(&m_workspace->promptBar(), &PromptBar::clearRequested, m_actions.clearPrompts,
        &QAction::trigger);
    connect(m_actions.deleteObject, &QAction::triggered, this, &MainWindow::deleteSelected);
    connect(&m_masks, &MaskModel::renameRequested, this, [this](int row, const QString& name) {
        if (!showsOpenImage())
            return;
        recordEndedRun();
        const bool isPrompted = m_masks.row(row).source == MaskSource::Prompts;
        m_masks.rename(row, name);
        if (isPrompted) // or its click would find it once more
            m_workspace->clearPrompts();
        record(WorkStep::Kind::Edit, tr("rename"));
    });
    connect(m_actions.exportObjects, &QAction::triggered, this, &MainWindow::chooseExport);
    connect(m_writer, &MaskWriter::written, this, &MainWindow::tellWritten);
    connect(m_writer, &MaskWriter::failed, this, &MainWindow::tellNotWritten);
    connect(m_display, &RunDisplay::ended, this, [this] {
        m_recordsWhenSettled = showsOpenImage(); // what a past run has found is no step
        if (m_masks.isSettled())
            recordEndedRun();
    });
    connect(&m_masks, &MaskModel::settled, this, [this] {
        if (m_recordsWhenSettled)
            recordEndedRun();
    });
}

ImageWork MainWindow::workNow() {
    m_masks.settle(); // or what is kept of it would have a byte for every pixel
    return {m_workspace->prompting(), m_masks.rows(), m_answer->content()};
}

void MainWindow::record(WorkStep::Kind kind, const QString& text) {
    if (showsOpenImage())
        pushStep(kind, text, workNow());
}

void MainWindow::recordRun() {
    record(WorkStep::Kind::Run, m_step);
}

void MainWindow::recordEndedRun() {
    if (!m_recordsWhenSettled || !showsOpenImage())
        return;
    ImageWork found = workNow();
    found.prompting.prompts = m_images->work().prompting.prompts; // a click may have come since
    pushStep(WorkStep::Kind::Run, m_step, found);
}

void MainWindow::pushStep(WorkStep::Kind kind, const QString& text, const ImageWork& after) {
    m_recordsWhenSettled = false;
    const ImageWork before = m_images->work();
    m_images->keep(after);
    if (!isSameWork(before, after))
        m_images->steps()->push(new WorkStep(
            text, kind, before, after, [this](const ImageWork& work) { showWork(work); }));
}

void MainWindow::showWork(const ImageWork& work) {
    m_workspace->setPrompting(work.prompting);
    m_display->show(work.answer, work.masks);
    m_images->keep(work);
    m_workspace->messages().dismiss(); // of what is no more
}

void MainWindow::deleteSelected() {
    const auto selected = m_masks.selected();
    if (!selected)
        return;
    recordEndedRun();
    const bool isPrompted = m_masks.row(*selected).source == MaskSource::Prompts;
    m_masks.remove(*selected);
    if (isPrompted)
        m_workspace->clearPrompts();
    record(WorkStep::Kind::Edit, tr("delete"));
}

void MainWindow::chooseExport() {
    if (!m_workspace->picture())
        return;
    const QString& path = m_workspace->picture()->path;
    const QString folder = path.isEmpty()
        ? QStandardPaths::writableLocation(QStandardPaths::PicturesLocation)
        : QFileInfo(path).absolutePath();
    auto* dialog = new ExportDialog(m_masks.rowCount(), folder, m_exportFormats, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { writeObjects(dialog->plan()); });
    dialog->open();
}

void MainWindow::writeObjects(const ExportPlan& plan) {
    if (!m_workspace->picture())
        return;
    m_exportFormats = plan.formats;
    m_writer->write(m_workspace->picture(), workNow(), plan);
}

void MainWindow::tellNotWritten(const Error& error) {
    m_closesWhenWritten = false;
    m_workspace->messages().showMessage(MessageBar::Kind::Error, toQString(error.sentence),
        {{tr("Export again…"), [this] { chooseExport(); }}});
}

void MainWindow::tellWritten(const WrittenObjects& written) {
    m_images->setExported(*written.picture, written.work);
    const auto& files = written.files;
    const QString first = toQString(files.front().string());
    m_workspace->messages().showMessage(MessageBar::Kind::Note,
        files.size() == 1
            ? tr("%1 was written.").arg(first)
            : tr("%1 files were written, the first of them %2.").arg(files.size()).arg(first));
    if (m_closesWhenWritten && !m_writer->isBusy())
        close();
}

bool MainWindow::wouldLose(int row) {
    const ImageModel::Entry& entry = m_images->model().entry(row);
    if (!showsOpenImage() || m_images->current() != row)
        return m_images->model().holdsUnsaved(row);
    return m_masks.rowCount() > 0 && !(entry.isExported && isSameWork(entry.work, workNow()));
}

} // namespace maskscope
