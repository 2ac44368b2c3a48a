// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/recorder.h"

#include <algorithm>

namespace maskscope {

StageRecorder::StageRecorder(MemoryLedger& ledger, HighWater highWater)
    : m_ledger(ledger)
    , m_highWater(highWater) { }

void StageRecorder::markLoaded() {
    m_loaded = m_ledger.live();
}

/// Resetting the mark would hide what the open stages saw: they take it over first. Returns where
/// the mark starts again, or nothing where it cannot be measured.
std::optional<std::int64_t> StageRecorder::restartHighWater() {
    if (m_highWater == HighWater::Ignored)
        return std::nullopt;
    const auto mark = highWaterBytes();
    for (StageScope* stage : m_open)
        if (mark && stage->m_mark)
            stage->m_mark = std::max(*stage->m_mark, *mark);
    if (!resetHighWater())
        return std::nullopt;
    return highWaterBytes();
}

StageScope::StageScope(StageRecorder& recorder)
    : m_recorder(recorder)
    , m_markAtStart(recorder.restartHighWater())
    , m_mark(m_markAtStart) {
    m_recorder.m_open.push_back(this);
    m_start = std::chrono::steady_clock::now();
    m_window.emplace(m_recorder.m_ledger);
}

StageScope::~StageScope() {
    if (m_window)
        end();
}

StageMemory StageScope::end() {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    StageMemory memory;
    memory.ms = Milliseconds(std::chrono::steady_clock::now() - m_start).count();
    memory.liveAtStart = m_window->liveAtStart();
    memory.peak = m_window->peak();
    memory.liveAtEnd = m_recorder.m_ledger.live();
    m_window.reset();
    if (m_recorder.m_loaded)
        memory.overLoaded = memory.peak - *m_recorder.m_loaded;
    m_recorder.restartHighWater();
    if (m_markAtStart && m_mark)
        memory.highWaterGrowth = *m_mark - *m_markAtStart;
    std::erase(m_recorder.m_open, this);
    return memory;
}

} // namespace maskscope
