// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"
#include "core/measure/language_source.h"
#include "core/model/config.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace maskscope {

/// What one further token costs with and without the KV cache, over the number of tokens before it.
struct TokenCostPlan {
    LanguageSource model;
    std::vector<std::int64_t> positions{64, 128, 256, 512, 1024}; ///< tokens before
    std::vector<KvCacheMode> modes{KvCacheMode::On, KvCacheMode::Off};
    Precision precision = Precision::Float32;
    int threads = 0; ///< 0 = as the machine has
    int repeats = 5; ///< tokens measured at each position
};

struct TokenCost {
    KvCacheMode mode = KvCacheMode::On;
    std::int64_t position = 0; ///< tokens before
    double ms = 0; ///< median of the repeats
    double lowMs = 0;
    double highMs = 0;
    std::int64_t keptBytes = 0; ///< what the sequence holds between two tokens
    std::int64_t extraPeakBytes = 0; ///< what a token needs above that while it is computed
};

/// Bytes that one token takes in the cache: keys and values of all layers.
std::int64_t cacheBytesPerToken(const LanguageConfig& config, Precision precision);

/// Measures in this process and gives each cost to `onCost` when it is known. Throws Failure (a
/// model that cannot be loaded, positions beyond what it was made for, memory), Cancelled.
std::vector<TokenCost> measureTokens(const TokenCostPlan& plan,
    const std::function<void(const TokenCost&)>& onCost, const std::stop_token& stop);

} // namespace maskscope
