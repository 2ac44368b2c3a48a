// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says and offers when something fails.
#include "core/memory/process.h"
#include "ui/convert.h"
#include "ui/main_window.h"
#include "ui/memory_panel.h"
#include "ui/message_bar.h"
#include "ui/opener.h"
#include "ui/pages.h"
#include "ui/remedies.h"
#include "ui/run_panel.h"
#include "ui/workspace.h"

#include <QAction>

namespace maskscope {

void MainWindow::showError(const Error& error) {
    const NextStep step = nextStepFor(error.kind);
    m_workspace->messages().showMessage(MessageBar::Kind::Error, toQString(error.sentence),
        {{titleOf(step), [this, step] { take(step); }}});
    if (m_pages->page() != Page::Segment)
        m_pages->current().showError(error);
}

void MainWindow::take(NextStep step) {
    switch (step) {
    case NextStep::OpenAnother:
        m_opener->chooseFiles();
        break;
    case NextStep::LowerMemory:
        m_runPanel->parentWidget()->show();
        m_runPanel->focusMemoryLimit();
        break;
    case NextStep::AutomaticAttention:
        m_runPanel->chooseAutomaticAttention();
        run();
        break;
    case NextStep::EditRequest:
        m_actions.editRequest->trigger();
        break;
    case NextStep::None:
        break;
    }
}

void MainWindow::showRunError(const Error& error) {
    if (error.kind == ErrorKind::Memory && !m_session.isReplaying())
        showRefusal(error);
    else
        showError(error);
}

void MainWindow::showRefusal(const Error& error) {
    QString sentence = toQString(error.sentence);
    if (const MemorySample* peak = m_memory->series().peak()) // none of a run that did not begin
        if (const QString most = largestCategories(*peak); !most.isEmpty())
            sentence += QChar(u' ') + tr("At the highest there were %1.").arg(most);
    const auto& picture = m_workspace->picture();
    const std::int64_t pixels
        = picture ? std::int64_t(picture->image->width) * picture->image->height : 0;
    const auto limit = m_asked.memoryLimit ? m_asked.memoryLimit : defaultMemoryLimit(0);
    std::vector<MessageBar::Step> steps;
    for (const Remedy& remedy : remediesFor(m_asked, m_model, pixels, limit))
        steps.push_back({remedy.title, [this, settings = remedy.settings] {
                             m_runPanel->setSettings(settings);
                             run();
                         }});
    const NextStep settings = nextStepFor(error.kind);
    steps.push_back({titleOf(settings), [this, settings] { take(settings); }});
    m_workspace->messages().showMessage(MessageBar::Kind::Error, sentence, steps);
}

} // namespace maskscope
