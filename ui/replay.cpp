// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay.h"

#include "ui/convert.h"
#include "ui/session.h"

#include <limits>
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
    , m_request(request) {
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(Session::kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this,
        [this] { tell(static_cast<double>(m_sinceStart.elapsed())); });
}

void Replay::start() {
    m_sinceStart.start();
    m_timer.start();
}

void Replay::skipToEnd() {
    tell(std::numeric_limits<double>::infinity());
}

void Replay::tell(double untilMs) {
    std::vector<Event> events;
    for (; !isOver() && m_record->events[m_next].tMs <= untilMs; ++m_next) {
        events.push_back(m_record->events[m_next]);
        events.back().request = m_request;
    }
    if (isOver()) {
        m_timer.stop();
        if (m_record->events.empty() || !ends(m_record->events.back())) {
            Event& end = events.emplace_back();
            end.request = m_request;
            end.tMs = m_record->events.empty() ? 0 : m_record->events.back().tMs;
            end.payload.emplace<Failed>(Failed{
                {ErrorKind::Internal, toStdString(tr("The program ended before this run did."))}});
        }
    }
    if (!events.empty())
        Q_EMIT due(events);
}

} // namespace maskscope
