// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_recorder.h"

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

using Numbered = std::vector<std::pair<std::size_t, Event>>;

template <class Payload, class Key, class Sample>
void append(
    const std::map<Key, SampleCurve<Sample>>& curves, std::uint64_t request, Numbered& events) {
    for (const auto& [key, curve] : curves)
        for (const auto& arrived : curve.samples())
            events.emplace_back(
                arrived.number, Event{request, arrived.tMs, Payload{arrived.sample}});
}

} // namespace

void RunRecorder::operator()(const Event& event) {
    if (std::holds_alternative<StageProgress>(event.payload))
        return;
    const std::lock_guard lock(m_mutex);
    const std::size_t number = m_arrived++;
    m_request = event.request;
    if (const auto* measured = std::get_if<MemoryMeasured>(&event.payload)) {
        m_curves[measured->sample.device].add({number, event.tMs, measured->sample}, kMostSamples);
    } else if (const auto* ofRank = std::get_if<RankMeasured>(&event.payload)) {
        m_ranks[ofRank->sample.rank].add({number, event.tMs, ofRank->sample}, kMostSamples);
    } else {
        m_numbers.push_back(number);
        m_record.events.push_back(event);
    }
}

RunRecord RunRecorder::take() {
    const std::lock_guard lock(m_mutex);
    Numbered all;
    for (std::size_t i = 0; i < m_numbers.size(); ++i)
        all.emplace_back(m_numbers[i], std::move(m_record.events[i]));
    append<MemoryMeasured>(m_curves, m_request, all);
    append<RankMeasured>(m_ranks, m_request, all);
    std::ranges::sort(all, {}, [](const auto& entry) { return entry.first; });
    RunRecord record{std::exchange(m_record.header, {}), {}};
    for (auto& [number, event] : all)
        record.events.push_back(std::move(event));
    m_record.events.clear();
    m_numbers.clear();
    m_curves.clear();
    m_ranks.clear();
    return record;
}

} // namespace maskscope
