// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/sampler.h"

#include "core/memory/process.h"

#include <algorithm>
#include <utility>

namespace maskscope {

using Clock = std::chrono::steady_clock;

MemorySampler::MemorySampler(MemoryLedger& ledger, Callback callback, Clock::time_point start)
    : m_ledger(ledger)
    , m_callback(std::move(callback))
    , m_start(start) {
    m_ledger.curve().take(Clock::now() + std::chrono::milliseconds(1)); // what was before
    tell();
    m_beat.emplace([this] { tell(); });
}

MemorySampler::~MemorySampler() {
    if (m_beat && !m_beat->isStopped())
        m_beat->stop();
}

void MemorySampler::tell() {
    // Cut at a full millisecond, as the curve's points are, so that times never step back.
    const Clock::time_point now = std::chrono::floor<std::chrono::milliseconds>(Clock::now());
    for (const CurvePoint& point : m_ledger.curve().take(now))
        m_callback(sampleOf(point));
    MemorySample sample = sampleOf(m_ledger.curve().level(now));
    sample.process = residentBytes();
    m_callback(sample);
}

MemorySample MemorySampler::sampleOf(const CurvePoint& point) const {
    MemorySample sample;
    sample.tMs
        = std::max(0.0, std::chrono::duration<double, std::milli>(point.time - m_start).count());
    sample.live = point.live;
    sample.byCategory = point.byCategory;
    return sample;
}

} // namespace maskscope
