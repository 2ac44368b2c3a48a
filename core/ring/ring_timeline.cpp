// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_timeline.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;
using Event = RingTimeline::Event;

constexpr std::array kLanes{"compute", "transfer"};

double microseconds(RingTimeline::Clock::duration time) {
    return std::chrono::duration<double, std::micro>(time).count();
}

/// What a process or a thread is called.
Json nameOf(const char* what, int rank, std::size_t lane, const std::string& name) {
    return {{"name", what}, {"ph", "M"}, {"pid", rank}, {"tid", lane}, {"args", {{"name", name}}}};
}

Json valueOf(const Event& event, RingTimeline::Clock::time_point start) {
    Json value{{"name", event.name}, {"cat", kLanes[static_cast<std::size_t>(event.lane)]},
        {"ph", "X"}, {"pid", event.rank}, {"tid", static_cast<int>(event.lane)},
        {"ts", microseconds(event.begin - start)}, {"dur", microseconds(event.end - event.begin)}};
    if (event.lane == RingTimeline::Lane::Transfer)
        value["args"] = {{"bytes", event.bytes}};
    return value;
}

} // namespace

RingTimeline::RingTimeline(std::size_t most) {
    m_events.reserve(most);
}

void RingTimeline::add(Event event) noexcept {
    const std::lock_guard lock(m_mutex);
    if (m_events.size() < m_events.capacity())
        m_events.push_back(std::move(event));
    else
        ++m_dropped;
}

std::vector<Event> RingTimeline::events() const {
    const std::lock_guard lock(m_mutex);
    return m_events;
}

std::size_t RingTimeline::dropped() const {
    const std::lock_guard lock(m_mutex);
    return m_dropped;
}

ComputePiece::~ComputePiece() {
    if (!m_timeline)
        return;
    m_event.end = RingTimeline::Clock::now();
    m_timeline->add(std::move(m_event));
}

std::string traceOf(const RingTimeline& timeline) {
    std::vector<Event> events = timeline.events();
    std::sort(events.begin(), events.end(),
        [](const Event& a, const Event& b) { return a.begin < b.begin; });
    Json list = Json::array();
    std::set<int> ranks;
    for (const Event& event : events)
        ranks.insert(event.rank);
    for (const int rank : ranks) {
        list.push_back(nameOf("process_name", rank, 0, "rank " + std::to_string(rank)));
        for (std::size_t lane = 0; lane < kLanes.size(); ++lane)
            list.push_back(nameOf("thread_name", rank, lane, kLanes[lane]));
    }
    for (const Event& event : events)
        list.push_back(valueOf(event, events.front().begin));
    return Json{{"displayTimeUnit", "ms"}, {"droppedEvents", timeline.dropped()},
               {"traceEvents", list}}
               .dump()
        + '\n';
}

} // namespace maskscope
