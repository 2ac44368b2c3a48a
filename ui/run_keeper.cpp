// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_keeper.h"

#include "ui/convert.h"
#include "ui/workspace.h"

namespace maskscope {

RunKeeper::RunKeeper(Session& session, const Settings& settings, const Workspace& workspace,
    RunHistory& history, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_settings(settings)
    , m_workspace(workspace)
    , m_history(history) {
    connect(&session, &Session::modelLoaded, this,
        [this](const ModelDescription& description) { m_model = description; });
    connect(&session, &Session::runStarted, this, &RunKeeper::begin);
    connect(&session, &Session::eventsArrived, this, &RunKeeper::record);
}

void RunKeeper::begin(const Request& request) {
    m_recorder.reset(); // a run that was pushed aside has no end
    if (m_session.isReplaying() || m_settings.runRecording() == RunRecording::Off)
        return;
    m_image = request.images.empty() ? nullptr : request.images.front();
    m_recorder = std::make_unique<RunRecorder>(header(request));
}

RunHeader RunKeeper::header(const Request& request) const {
    RunHeader header = headerOf(request);
    header.started = utcNow();
    header.programVersion = MASKSCOPE_VERSION;
    header.machine = m_model.machine;
    header.modelName = m_model.info.name;
    header.modelDigest = m_model.info.digest;
    header.trainingPixels = m_model.info.trainingPixels;
    header.modelFolder = m_model.folder;
    if (m_image)
        header.image = {{}, m_image->width, m_image->height, {}};
    if (const auto& picture = m_workspace.picture(); picture && picture->image == m_image)
        header.image.path = toStdString(picture->path);
    return header;
}

void RunKeeper::record(const std::vector<Event>& events) {
    if (!m_recorder)
        return;
    bool ended = false;
    for (const Event& event : events) {
        (*m_recorder)(event);
        ended = ended || std::holds_alternative<Done>(event.payload)
            || std::holds_alternative<Failed>(event.payload);
    }
    if (!ended)
        return;
    m_history.add(m_recorder->take(), m_image);
    m_recorder.reset();
}

} // namespace maskscope
