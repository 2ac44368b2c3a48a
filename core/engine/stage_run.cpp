// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/stage_run.h"

#include <algorithm>

namespace maskscope {

StageRun::StageRun(Stage stage, StageRecorder& recorder, Emitter& emit, StageTotals& totals)
    : m_stage(stage)
    , m_emit(emit)
    , m_totals(totals)
    , m_scope(recorder) {
    if (m_record.isActive())
        m_record.before(nameOf(stage));
    m_emit(StageBegan{stage});
}

StageRun::~StageRun() {
    const StageMemory memory = m_scope.end();
    std::int64_t& peak = m_totals.extraPeakBytes[m_stage];
    peak = std::max(peak, memory.extraPeak());
    m_totals.ms[m_stage] += memory.ms;
    m_emit(StageEnded{m_stage, memory.ms, memory.extraPeak(), memory.liveAtEnd});
}

} // namespace maskscope
