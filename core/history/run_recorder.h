// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"
#include "core/history/sample_curve.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace maskscope {

/// An EventSink (through std::ref) that keeps a run while it goes on. A long run's memory curve is
/// thinned as it grows: of neighbouring samples the higher one stays, so that its peaks keep their
/// height and time, and its first sample, above which the extra peak is counted, stays too.
class RunRecorder {
public:
    explicit RunRecorder(RunHeader header) { m_record.header = std::move(header); }

    /// Any thread; events of one thread in their order.
    void operator()(const Event& event);

    /// The run so far; the recorder is empty afterwards.
    RunRecord take();

    static constexpr std::size_t kMostSamples = 20'000; ///< of each device and rank

private:
    std::mutex m_mutex;
    RunRecord m_record; // without memory
    std::vector<std::size_t> m_numbers; // of m_record.events
    std::map<std::string, SampleCurve<MemorySample>> m_curves; // by device
    std::map<int, SampleCurve<RankSample>> m_ranks;
    std::size_t m_arrived = 0;
    std::uint64_t m_request = 0;
};

} // namespace maskscope
