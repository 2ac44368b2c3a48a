// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/beat.h"
#include "core/memory/ledger.h"
#include "core/memory/sample.h"

#include <chrono>
#include <functional>
#include <optional>

namespace maskscope {

/// Tells about the host's memory 20 times a second from a thread of its own: first what the
/// allocation curve saw since the last time (one sample for each millisecond in which something
/// happened, without process figures), then one sample of this moment with the resident set.
class MemorySampler {
public:
    using Callback = std::function<void(const MemorySample&)>;

    /// Begins at once, with the state of this moment; `callback` is called on the sampler's thread
    /// and, for the last samples, on that which stops it. Times count from `start`. One per ledger.
    MemorySampler(MemoryLedger& ledger, Callback callback,
        std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now());
    /// Stops, unless stop() was called.
    ~MemorySampler();
    MemorySampler(const MemorySampler&) = delete;
    MemorySampler& operator=(const MemorySampler&) = delete;

    /// Stops, after everything that happened before was told. Gives the processor time that the
    /// thread took in all, in milliseconds. Once.
    double stop() { return m_beat->stop(); }

private:
    void tell();
    MemorySample sampleOf(const CurvePoint& point) const;

    MemoryLedger& m_ledger;
    Callback m_callback;
    std::chrono::steady_clock::time_point m_start;
    std::optional<Beat> m_beat; ///< from the constructor's end on
};

} // namespace maskscope
