// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay_stage.h"

#include "ui/convert.h"
#include "ui/history_model.h"
#include "ui/replay_bar.h"
#include "ui/workspace.h"

#include <utility>

namespace maskscope {

namespace {

QString noteOf(const RunImage& image) {
    if (image.path.empty())
        return ReplayStage::tr("Its picture was not a file, so the masks lie on an empty one.");
    return ReplayStage::tr("%1 is not there as it was, so the masks lie on an empty picture.")
        .arg(toQString(image.path));
}

ReplayText textOf(const RunRecord& record, const RunScene& scene) {
    const RunSummary run = summaryOf(record);
    ReplayText text;
    text.title = ReplayStage::tr("Replay: %1").arg(askedText(run));
    text.origin = QStringList{wayText(run), deviceText(run.processor, run.device),
        localTimeText(run.started)}
                      .join(QStringLiteral(" · "));
    if (!scene.isOriginal)
        text.note = noteOf(record.header.image);
    return text;
}

} // namespace

ReplayStage::ReplayStage(
    Session& session, Workspace& workspace, ImageReader reader, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_workspace(workspace)
    , m_reader(std::move(reader)) {
    ReplayBar& bar = workspace.replayBar();
    connect(&bar, &ReplayBar::paceChanged, &session, &Session::setReplayPace);
    connect(&bar, &ReplayBar::momentChosen, &session, &Session::seekReplay);
    connect(&session, &Session::replayMoved, &bar, &ReplayBar::setPosition);
    connect(&bar, &ReplayBar::endRequested, this, &ReplayStage::end);
    connect(&bar, &ReplayBar::againRequested, this, [this] {
        if (m_record)
            m_session.replay(m_record);
    });
}

void ReplayStage::play(const std::shared_ptr<const RunRecord>& record) {
    const std::uint64_t number = ++m_newest;
    m_background.run([record, reader = m_reader] { return sceneOf(*record, reader); },
        [this, record, number](const RunScene& scene) {
            if (number == m_newest)
                show(record, scene);
        });
}

void ReplayStage::show(const std::shared_ptr<const RunRecord>& record, const RunScene& scene) {
    if (!isActive())
        m_before = m_workspace.picture();
    m_record = nullptr; // so that choosing a picture is no leaving
    Q_EMIT pictureChosen(scene.picture);
    m_record = record;
    m_workspace.showPrompts(record->header.points, record->header.boxes);
    m_workspace.replayBar().showReplay(textOf(*record, scene), summaryOf(*record).totalMs);
    Q_EMIT shown(record->header.settings);
    m_session.replay(record);
}

void ReplayStage::end() {
    if (!isActive())
        return;
    const std::shared_ptr<const Picture> before = m_before;
    leave();
    Q_EMIT pictureChosen(before);
}

void ReplayStage::leave() {
    ++m_newest; // what is still being read is not wanted any more
    m_record.reset();
    m_before.reset();
    m_workspace.replayBar().hide();
    Q_EMIT left();
}

} // namespace maskscope
