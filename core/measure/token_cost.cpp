// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/token_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/base/spread.h"
#include "core/generate/language_session.h"
#include "core/measure/language_subject.h"
#include "core/measure/stopwatch.h"
#include "core/memory/ledger.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

std::int64_t elementBytes(Precision precision) {
    return precision == Precision::Float32 || precision == Precision::Auto ? 4 : 2;
}

void check(const TokenCostPlan& plan, const LanguageConfig& config) {
    if (plan.positions.empty() || plan.modes.empty() || plan.repeats < 1)
        throw Failure(ErrorKind::Usage,
            "There is nothing to measure: give positions and at least one repeat.");
    for (const std::int64_t position : plan.positions)
        if (position < 1 || position + plan.repeats > config.mostPositions)
            throw Failure(ErrorKind::Usage,
                "A position cannot be " + std::to_string(position) + ": this model has "
                    + std::to_string(config.mostPositions) + " positions, and "
                    + std::to_string(plan.repeats) + " tokens are measured behind it.");
}

TokenCost measured(const LanguageModel& model, KvCacheMode mode, std::int64_t position, int repeats,
    const std::stop_token& stop) {
    MemoryLedger& ledger = cpuLedger();
    TokenCost cost{mode, position, 0, 0, 0, 0, 0};
    const std::int64_t before = ledger.live();
    const auto session = mode == KvCacheMode::On ? cachedSession(model, position + repeats)
                                                 : uncachedSession(model, position + repeats);
    session->feed(tokensFor(model, 0, position), stop); // the prompt, which also warms up
    cost.keptBytes = ledger.live() - before;
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const at::Tensor next = tokensFor(model, position + i, 1);
        PeakWindow window(ledger);
        const Stopwatch watch;
        const at::Tensor logits = model.logits(session->feed(next, stop)); // [V]
        times.push_back(watch.ms());
        cost.extraPeakBytes = std::max(cost.extraPeakBytes, window.peak() - window.liveAtStart());
    }
    const Spread ms = spreadOf(std::move(times));
    cost.ms = ms.median;
    cost.lowMs = ms.low;
    cost.highMs = ms.high;
    return cost;
}

} // namespace

std::int64_t cacheBytesPerToken(const LanguageConfig& config, Precision precision) {
    return 2 * config.layers * config.kvHeads * config.headDim * elementBytes(precision);
}

std::vector<TokenCost> measureTokens(const TokenCostPlan& plan,
    const std::function<void(const TokenCost&)>& onCost, const std::stop_token& stop) {
    const LanguageSubject subject(plan.model, plan.precision, plan.threads);
    const c10::InferenceMode inference;
    check(plan, subject.language().config());
    std::vector<TokenCost> costs;
    for (const KvCacheMode mode : plan.modes)
        for (const std::int64_t position : plan.positions) {
            throwIfStopped(stop);
            costs.push_back(measured(subject.language(), mode, position, plan.repeats, stop));
            subject.budget().check();
            onCost(costs.back());
        }
    return costs;
}

} // namespace maskscope
