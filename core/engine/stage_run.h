// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/emitter.h"
#include "core/memory/recorder.h"

#include <ATen/record_function.h>

#include <map>

namespace maskscope {

/// What a run's stages took in all.
struct StageTotals {
    std::map<Stage, std::int64_t> extraPeakBytes; ///< greatest
    std::map<Stage, double> ms; ///< sum
};

/// One stage of a run, as a scope: measured, and told at its begin and its end, whichever way it
/// ends.
class [[nodiscard]] StageRun {
public:
    StageRun(Stage stage, StageRecorder& recorder, Emitter& emit, StageTotals& totals);
    ~StageRun();
    StageRun(const StageRun&) = delete;
    StageRun& operator=(const StageRun&) = delete;

    void progress(double fraction) { m_emit(StageProgress{m_stage, fraction}); }

private:
    Stage m_stage;
    Emitter& m_emit;
    StageTotals& m_totals;
    StageScope m_scope;
    at::RecordFunction m_record{at::RecordScope::USER_SCOPE}; ///< names the stage to observers
};

} // namespace maskscope
