// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/anatomy.h"
#include "ui/picture.h"
#include "ui/run_question.h"
#include "ui/session.h"

#include <QObject>
#include <filesystem>
#include <memory>

namespace maskscope {

class AnatomyDialog;
class MemoryPanel;
class Workspace;

/// Looks into the moments of the session's newest run that the memory panel's curve shows; of a
/// replay, by running the past run's request again here.
class RunAnatomy : public QObject {
    Q_OBJECT
public:
    /// All of them outlive it. Runs are done again with the model of that folder.
    RunAnatomy(Session& session, Workspace& workspace, MemoryPanel& memory, AnatomyDialog& dialog,
        std::filesystem::path model, QObject* parent);

private:
    void begin(const Request& request);
    void look(const AnatomyMoment& moment);

    Session& m_session;
    Workspace& m_workspace;
    AnatomyDialog& m_dialog;
    std::filesystem::path m_model;
    Request m_request; // the newest
    double m_runMs = 0; // how long it took
    std::shared_ptr<const Picture> m_picture; // of that
    std::shared_ptr<const RunRecord> m_past; // where that was a replay
    RunQuestion m_question;
};

} // namespace maskscope
