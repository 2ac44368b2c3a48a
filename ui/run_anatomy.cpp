// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_anatomy.h"

#include "ui/anatomy_dialog.h"
#include "ui/compose.h"
#include "ui/convert.h"
#include "ui/memory_panel.h"
#include "ui/message_bar.h"
#include "ui/workspace.h"

#include <utility>

namespace maskscope {

RunAnatomy::RunAnatomy(Session& session, Workspace& workspace, MemoryPanel& memory,
    AnatomyDialog& dialog, std::filesystem::path model, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_workspace(workspace)
    , m_dialog(dialog)
    , m_model(std::move(model)) {
    connect(&session, &Session::runStarted, this, &RunAnatomy::begin);
    connect(&session, &Session::finished, this,
        [this](const std::shared_ptr<const Report>& report, double tMs) {
            m_request.settings.sampling.seed = report->seed; // as it was drawn
            m_runMs = tMs;
        });
    connect(&memory, &MemoryPanel::momentChosen, this, &RunAnatomy::look);
}

void RunAnatomy::begin(const Request& request) {
    m_request = request;
    m_runMs = 0;
    m_picture = m_workspace.picture();
    m_past = m_session.replayed();
}

void RunAnatomy::look(const AnatomyMoment& moment) {
    if (!m_picture)
        return;
    const Result<RunHeader> run
        = m_past ? againOf(*m_past) : m_question.of(m_request, *m_picture, m_model);
    if (!run) {
        m_workspace.messages().showMessage(
            MessageBar::Kind::Error, toQString(run.error().sentence));
        return;
    }
    m_dialog.look(RunAnatomyQuestion{run.value(), moment},
        tr("%1 on %2: %3").arg(describe(m_request), m_picture->name, textOf(moment)), m_runMs);
}

} // namespace maskscope
