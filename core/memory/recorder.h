// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/ledger.h"
#include "core/memory/process.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope {

/// What one stage took.
struct StageMemory {
    double ms = 0;
    std::int64_t liveAtStart = 0; ///< live tensor bytes
    std::int64_t liveAtEnd = 0;
    std::int64_t peak = 0; ///< highest live tensor bytes inside, those of inner stages included

    /// Above the state after loading, as the reference counts; absent before markLoaded().
    std::optional<std::int64_t> overLoaded;
    /// Growth of the process's high-water mark (VmHWM after resetting it): also sees scratch that
    /// libraries take past the allocator. Absent where not asked for or not permitted.
    std::optional<std::int64_t> highWaterGrowth;

    /// The same on every run.
    std::int64_t extraPeak() const { return peak - liveAtStart; }
};

/// Whether a recorder also measures VmHWM, which costs three small system calls at each end of a
/// stage and resets the mark for everybody who reads it.
enum class HighWater { Measured, Ignored };

class StageScope;

/// Measures the stages of a job, which nest like scopes. One thread.
class StageRecorder {
public:
    StageRecorder(MemoryLedger& ledger, HighWater highWater);
    StageRecorder(const StageRecorder&) = delete;
    StageRecorder& operator=(const StageRecorder&) = delete;

    /// The present live bytes are the state after loading.
    void markLoaded();

private:
    friend class StageScope;
    std::optional<std::int64_t> restartHighWater();

    MemoryLedger& m_ledger;
    HighWater m_highWater;
    std::optional<std::int64_t> m_loaded;
    std::vector<StageScope*> m_open; ///< outermost first
};

/// One stage, from its making to end() or, where an exception passes, to its destruction.
class [[nodiscard]] StageScope {
public:
    explicit StageScope(StageRecorder& recorder);
    ~StageScope();
    StageScope(const StageScope&) = delete;
    StageScope& operator=(const StageScope&) = delete;

    /// Ends the stage; inner stages must have ended. Once.
    StageMemory end();

private:
    friend class StageRecorder;
    StageRecorder& m_recorder;
    std::optional<PeakWindow> m_window;
    std::chrono::steady_clock::time_point m_start;
    std::optional<std::int64_t> m_markAtStart;
    std::optional<std::int64_t> m_mark; ///< highest so far
};

} // namespace maskscope
