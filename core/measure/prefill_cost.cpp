// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/prefill_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/generate/language_session.h"
#include "core/measure/language_subject.h"
#include "core/measure/stopwatch.h"
#include "core/memory/ledger.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>

namespace maskscope {

namespace {

void check(const PrefillPlan& plan, const LanguageConfig& config) {
    if (plan.lengths.empty() || plan.repeats.count < 1)
        throw Failure(
            ErrorKind::Usage, "There is nothing to measure: give lengths and at least one repeat.");
    for (const std::int64_t length : plan.lengths)
        if (length < 1 || length >= config.mostPositions)
            throw Failure(ErrorKind::Usage,
                "A prompt cannot have " + std::to_string(length) + " tokens: this model has "
                    + std::to_string(config.mostPositions) + " positions, and one token follows.");
}

PrefillCost measured(const LanguageModel& model, std::int64_t length, const Repeats& repeats,
    const std::stop_token& stop) {
    PrefillCost cost;
    cost.length = length;
    std::vector<double> times, nextTimes;
    for (int i = -repeats.warmUps; i < repeats.count; ++i) {
        const auto session = cachedSession(model, length + 1);
        const at::Tensor prompt = tokensFor(model, 0, length), next = tokensFor(model, length, 1);
        PeakWindow window(cpuLedger());
        const Stopwatch watch;
        (void)model.logits(session->feed(prompt, stop));
        const double ms = watch.ms();
        cost.extraPeakBytes = std::max(cost.extraPeakBytes, window.peak() - window.liveAtStart());
        const Stopwatch nextWatch;
        (void)model.logits(session->feed(next, stop));
        if (i >= 0) {
            times.push_back(ms);
            nextTimes.push_back(nextWatch.ms());
        }
    }
    cost.ms = spreadOf(std::move(times));
    cost.nextMs = spreadOf(std::move(nextTimes));
    return cost;
}

} // namespace

std::vector<PrefillCost> measurePrefill(const PrefillPlan& plan,
    const std::function<void(const PrefillCost&)>& onCost, const std::stop_token& stop) {
    const LanguageSubject subject(plan.model, plan.precision, plan.threads);
    const c10::InferenceMode inference;
    check(plan, subject.language().config());
    std::vector<PrefillCost> costs;
    for (const std::int64_t length : plan.lengths) {
        throwIfStopped(stop);
        costs.push_back(measured(subject.language(), length, plan.repeats, stop));
        subject.budget().check();
        onCost(costs.back());
    }
    return costs;
}

} // namespace maskscope
