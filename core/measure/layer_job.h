// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/layer.h"
#include "core/memory/budget.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace maskscope {

/// What one run of a layer may take.
struct LayerLimits {
    int threads = 0; ///< 0 = as the machine has
    std::optional<std::int64_t> memoryLimit; ///< live tensor bytes; absent = 90 % of what is free
    Preflight preflight = Preflight::On;
};

/// A run of a layer on this thread, under its limits. For everything that runs one: measurements,
/// audits, anatomies. Throws what checkLayer() throws.
class LayerJob {
public:
    /// `subject` begins sentences; the layer itself where there is none.
    LayerJob(const LayerShape& shape, const LayerLimits& limits, std::string subject = {});

    int threads() const { return m_threads; }
    std::int64_t predictedBytes() const { return m_predictedBytes; } ///< of the layer's peak

    /// To be asked when the weights are there and the input is not: with Preflight::On it throws
    /// Failure(Memory), with figures and alternatives, where the run would not fit.
    void preflight() const;

    /// Throws Failure(Memory) if an allocation was refused, even where a library caught that.
    void check() const { m_budget.check(); }

    /// Does `work`. Throws Failure: of memory where memory ended it, whatever exception it became.
    void run(const std::function<void()>& work) const;

private:
    LayerShape m_shape;
    std::string m_subject;
    Preflight m_preflight;
    int m_threads;
    std::int64_t m_predictedBytes;
    MemoryBudget m_budget;
};

} // namespace maskscope
