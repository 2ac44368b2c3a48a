// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_recorder.h"
#include "ui/run_history.h"
#include "ui/session.h"
#include "ui/settings.h"

#include <QObject>
#include <memory>
#include <optional>

namespace maskscope {

class Workspace;

/// Keeps every run of the session that comes to its end in the history, as long as the person has
/// not switched that off. Replays are not kept again.
class RunKeeper : public QObject {
    Q_OBJECT
public:
    /// All of them outlive it.
    RunKeeper(Session& session, const Settings& settings, const Workspace& workspace,
        RunHistory& history, QObject* parent);

private:
    void begin(const Request& request);
    void record(const std::vector<Event>& events);
    RunHeader header(const Request& request) const;

    Session& m_session;
    const Settings& m_settings;
    const Workspace& m_workspace;
    RunHistory& m_history;
    ModelDescription m_model;
    std::unique_ptr<RunRecorder> m_recorder; // of the run that is going on
    std::shared_ptr<const Image> m_image; // of that run
};

} // namespace maskscope
