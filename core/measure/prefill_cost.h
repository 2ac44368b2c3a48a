// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/spread.h"
#include "core/engine/request.h"
#include "core/measure/language_source.h"
#include "core/measure/repeats.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace maskscope {

/// What a prompt costs before the first token of the answer, over its length.
struct PrefillPlan {
    LanguageSource model;
    std::vector<std::int64_t> lengths{64, 128, 256, 512, 1024}; ///< tokens of the prompt
    Precision precision = Precision::Float32;
    int threads = 0; ///< 0 = as the machine has
    Repeats repeats;
};

struct PrefillCost {
    std::int64_t length = 0;
    Spread ms; ///< the whole prompt at once
    Spread nextMs; ///< one token of the answer behind it
    std::int64_t extraPeakBytes = 0; ///< above the state with its cache taken

    /// How many times as long one token of the answer takes as one of the prompt.
    double nextOverPrompt() const { return nextMs.median / (ms.median / double(length)); }
};

/// Measures in this process, with the KV cache, and gives each cost to `onCost` when it is known.
/// Throws Failure (a model that cannot be loaded, lengths beyond what it was made for, memory),
/// Cancelled.
std::vector<PrefillCost> measurePrefill(const PrefillPlan& plan,
    const std::function<void(const PrefillCost&)>& onCost, const std::stop_token& stop);

} // namespace maskscope
