// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_recorder.h"

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

void raise(std::optional<std::int64_t>& figure, const std::optional<std::int64_t>& other) {
    figure = std::max(figure, other); // an absent figure is below all others
}

} // namespace

void RunRecorder::operator()(const Event& event) {
    if (std::holds_alternative<StageProgress>(event.payload))
        return;
    const std::lock_guard lock(m_mutex);
    const std::size_t number = m_arrived++;
    m_request = event.request;
    if (const auto* measured = std::get_if<MemoryMeasured>(&event.payload)) {
        add({number, event.tMs, measured->sample}, m_curves[measured->sample.device]);
        return;
    }
    m_numbers.push_back(number);
    m_record.events.push_back(event);
}

void RunRecorder::add(const Arrived& arrived, Curve& curve) {
    if (curve.samples.size() == kMostSamples && curve.inLast == curve.stride)
        halve(curve);
    if (curve.samples.size() < 2 || curve.inLast == curve.stride) {
        curve.samples.push_back(arrived);
        curve.inLast = 1;
        return;
    }
    ++curve.inLast;
    join(arrived, curve.samples.back());
}

void RunRecorder::join(const Arrived& other, Arrived& kept) {
    Arrived lower = other;
    if (other.sample.live > kept.sample.live)
        std::swap(lower, kept);
    raise(kept.sample.process, lower.sample.process);
    raise(kept.sample.deviceUsed, lower.sample.deviceUsed);
    raise(kept.sample.reserved, lower.sample.reserved);
    raise(kept.sample.deviceTotal, lower.sample.deviceTotal);
}

void RunRecorder::halve(Curve& curve) {
    std::vector<Arrived>& samples = curve.samples;
    std::size_t kept = 1; // the first stays as it is
    for (std::size_t i = 1; i < samples.size(); i += 2) {
        samples[kept] = samples[i];
        if (i + 1 < samples.size())
            join(samples[i + 1], samples[kept]);
        ++kept;
    }
    // An even number of samples leaves the last one without a partner.
    curve.inLast = samples.size() % 2 == 0 ? curve.stride : 2 * curve.stride;
    curve.stride *= 2;
    samples.resize(kept);
}

RunRecord RunRecorder::take() {
    const std::lock_guard lock(m_mutex);
    std::vector<std::pair<std::size_t, Event>> all;
    for (std::size_t i = 0; i < m_numbers.size(); ++i)
        all.emplace_back(m_numbers[i], std::move(m_record.events[i]));
    for (const auto& [device, curve] : m_curves)
        for (const Arrived& arrived : curve.samples)
            all.emplace_back(
                arrived.number, Event{m_request, arrived.tMs, MemoryMeasured{arrived.sample}});
    std::ranges::sort(all, {}, [](const auto& entry) { return entry.first; });
    RunRecord record{std::exchange(m_record.header, {}), {}};
    for (auto& [number, event] : all)
        record.events.push_back(std::move(event));
    m_record.events.clear();
    m_numbers.clear();
    m_curves.clear();
    return record;
}

} // namespace maskscope
