// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_display.h"

#include "ui/compose.h"
#include "ui/memory_panel.h"
#include "ui/remarks.h"
#include "ui/status_line.h"

#include <utility>

namespace maskscope {

RunDisplay::RunDisplay(Session& session, AnswerView& answer, MaskModel& masks, MemoryPanel& memory,
    StatusLine& status, QObject* parent)
    : QObject(parent)
    , m_answer(answer)
    , m_masks(masks)
    , m_memory(memory)
    , m_status(status) {
    connect(&session, &Session::stateChanged, &status, &StatusLine::setState);
    connect(&session, &Session::modelLoaded, this,
        [this](const ModelDescription& model) { m_trainingPixels = model.info.trainingPixels; });
    connect(&session, &Session::runStarted, this, &RunDisplay::begin);
    connect(&session, &Session::runStarted, this, [this, &session] {
        if (session.isReplaying()) // whoever goes back in it sees what there was then
            dropOldMasks();
    });
    connect(&session, &Session::stageBegan, this, [this](Stage stage, double tMs) {
        m_memory.beginStage(stage, tMs);
        m_status.beginStage(stage);
    });
    connect(&session, &Session::stageEnded, &memory, &MemoryPanel::endStage);
    connect(&session, &Session::stageProgressed, &status, &StatusLine::progress);
    connect(&session, &Session::tokensArrived, &answer, &AnswerView::append);
    connect(&session, &Session::tokensArrived, &status, &StatusLine::addTokens);
    connect(&session, &Session::maskArrived, this, &RunDisplay::addMask);
    connect(&session, &Session::memoryArrived, &memory, &MemoryPanel::add);
    connect(&session, &Session::ranksArrived, &memory, &MemoryPanel::addRanks);
    connect(&session, &Session::finished, this, &RunDisplay::finish);
    connect(&session, &Session::failed, this, &RunDisplay::fail);
}

void RunDisplay::show(const AnswerView::Content& answer, std::vector<MaskModel::Row> masks) {
    m_masksAreOld = false;
    m_masks.restore(std::move(masks));
    m_answer.setContent(answer);
}

void RunDisplay::begin(const Request& request) {
    m_answer.begin(describe(request));
    m_memory.begin();
    m_status.begin(request);
    // The last masks stay until the first new one is there: nothing flickers while points are
    // refined, and a run that is stopped early takes nothing away.
    m_masksAreOld = true;
}

void RunDisplay::dropOldMasks() {
    if (std::exchange(m_masksAreOld, false))
        m_masks.clear();
}

void RunDisplay::addMask(const std::shared_ptr<const Mask>& mask) {
    dropOldMasks();
    m_masks.add(mask);
}

void RunDisplay::finish(const std::shared_ptr<const Report>& report, double tMs) {
    if (report->outcome == Outcome::Finished)
        dropOldMasks();
    m_masksAreOld = false;
    m_memory.end(tMs);
    m_memory.setReport(*report);
    m_status.finish(*report, tMs);
    for (const QString& remark : remarksOn(*report, m_trainingPixels))
        m_answer.remark(remark);
    Q_EMIT ended();
}

void RunDisplay::fail(const Error& error, double tMs) {
    dropOldMasks();
    m_memory.end(tMs);
    m_status.fail(error);
    Q_EMIT failed(error);
    Q_EMIT ended();
}

} // namespace maskscope
