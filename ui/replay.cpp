// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay.h"

#include "core/history/run_summary.h"
#include "ui/convert.h"
#include "ui/session.h"

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

bool ends(const Event& event) {
    return std::holds_alternative<Done>(event.payload)
        || std::holds_alternative<Failed>(event.payload);
}

} // namespace

Replay::Replay(std::shared_ptr<const RunRecord> record, std::uint64_t request, QObject* parent)
    : QObject(parent)
    , m_record(std::move(record))
    , m_lengthMs(summaryOf(*m_record).totalMs)
    , m_request(request) {
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(Session::kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this,
        [this] { seek(m_positionMs + m_pace * static_cast<double>(m_sinceTick.restart())); });
}

void Replay::start() {
    m_sinceTick.start();
    m_timer.start();
}

void Replay::skipToEnd() {
    seek(m_lengthMs);
}

void Replay::seek(double tMs) {
    if (m_over)
        return;
    m_positionMs = std::clamp(tMs, m_positionMs, m_lengthMs);
    std::vector<Event> events;
    for (; m_next < m_record->events.size() && m_record->events[m_next].tMs <= m_positionMs;
         ++m_next) {
        events.push_back(m_record->events[m_next]);
        events.back().request = m_request;
    }
    m_over = m_next == m_record->events.size();
    if (m_over) {
        m_timer.stop();
        if (m_record->events.empty() || !ends(m_record->events.back())) {
            Event& end = events.emplace_back();
            end.request = m_request;
            end.tMs = m_lengthMs;
            end.payload.emplace<Failed>(Failed{
                {ErrorKind::Internal, toStdString(tr("The program ended before this run did."))}});
        }
    }
    if (!events.empty())
        Q_EMIT due(events);
    Q_EMIT moved(m_positionMs);
}

} // namespace maskscope
