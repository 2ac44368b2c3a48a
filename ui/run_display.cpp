// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_display.h"

#include "ui/compose.h"
#include "ui/convert.h"
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
        if (!session.isReplaying())
            return;
        m_masks.clear(); // whoever goes back in it sees what there was then
        m_masksAreOld = false;
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
    m_words = toQString(request.text);
    m_source
        = request.points.empty() && request.boxes.empty() ? MaskSource::Words : MaskSource::Prompts;
    m_masks.leaveAnswer();
    m_answer.begin(describe(request));
    m_memory.begin();
    m_status.begin(request);
    // What this run finds anew stays until its first mask is there: nothing flickers while points
    // are refined, and a run that fails or is stopped early takes nothing away.
    m_masksAreOld = true;
}

void RunDisplay::dropSuperseded() {
    if (std::exchange(m_masksAreOld, false))
        m_masks.removeSuperseded(m_words);
}

void RunDisplay::addMask(const std::shared_ptr<const Mask>& mask) {
    dropSuperseded();
    m_masks.add(mask, m_source, m_words);
}

void RunDisplay::finish(const std::shared_ptr<const Report>& report, double tMs) {
    if (report->outcome == Outcome::Finished)
        dropSuperseded();
    m_masksAreOld = false;
    m_memory.end(tMs);
    m_memory.setReport(*report);
    m_status.finish(*report, tMs);
    const int firstNumber = m_masks.rowCount() - static_cast<int>(report->masks.size()) + 1;
    for (const QString& remark : remarksOn(*report, m_trainingPixels, firstNumber))
        m_answer.remark(remark);
    Q_EMIT ended();
}

void RunDisplay::fail(const Error& error, double tMs) {
    m_masksAreOld = false;
    m_memory.end(tMs);
    m_status.fail(error);
    Q_EMIT failed(error);
    Q_EMIT ended();
}

} // namespace maskscope
