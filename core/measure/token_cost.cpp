// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/token_cost.h"

#include "core/base/bytes.h"
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/engine/lens_model.h"
#include "core/generate/language_session.h"
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"
#include "core/model/weights.h"

#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <memory>

namespace maskscope {

namespace {

constexpr std::uint64_t kSeed = 1; ///< of drawn weights, which time and memory do not depend on

LanguageConfig smolLm(std::int64_t width, std::int64_t layers, std::int64_t heads,
    std::int64_t kvHeads, std::int64_t mlpWidth, std::int64_t vocabulary) {
    LanguageConfig config;
    config.vocabulary = vocabulary;
    config.width = width;
    config.layers = layers;
    config.heads = heads;
    config.kvHeads = kvHeads;
    config.headDim = width / heads;
    config.mlpWidth = mlpWidth;
    config.mostPositions = 8192;
    config.ropeBase = 100000;
    return config;
}

std::int64_t elementBytes(Precision precision) {
    return precision == Precision::Float32 || precision == Precision::Auto ? 4 : 2;
}

std::int64_t parametersOf(const LanguageConfig& c) {
    const std::int64_t attention = c.width * c.headDim * (2 * c.heads + 2 * c.kvHeads);
    const std::int64_t layer = attention + 3 * c.width * c.mlpWidth + 2 * c.width;
    return c.vocabulary * c.width + c.layers * layer + c.width;
}

/// A language model with what it needs to live.
class Subject {
public:
    explicit Subject(const TokenCostPlan& plan) {
        const Precision precision = resolved(plan.precision);
        if (const auto* folder = std::get_if<std::filesystem::path>(&plan.model)) {
            m_lens.reset(new LensModel(LensModel::load(*folder, precision))); // it does not move
            m_language = &m_lens->lens.language();
            return;
        }
        const auto& config = std::get<LanguageConfig>(plan.model);
        refuseIfTooLarge(config);
        Weights weights = Weights::forTraining({}, Weights::Mismatch::Draw, kSeed);
        m_drawn = std::make_unique<LanguageModel>(weights, config, "language.model");
        for (const auto& drawn : weights.all()) {
            at::Tensor tensor = drawn.second; // shared with the model
            tensor.set_data(tensor.to(scalarTypeOf(precision)));
        }
        m_language = m_drawn.get();
    }

    const LanguageModel& language() const { return *m_language; }

private:
    static void refuseIfTooLarge(const LanguageConfig& config) {
        const std::int64_t bytes = parametersOf(config) * 4;
        const auto limit = defaultMemoryLimit(cpuLedger().live());
        if (limit && bytes > *limit)
            throw Failure(ErrorKind::Memory,
                "The weights of this shape take " + bytesText(bytes) + ", but only "
                    + bytesText(*limit) + " are free: choose a smaller one.");
    }

    std::unique_ptr<LensModel> m_lens;
    std::unique_ptr<LanguageModel> m_drawn;
    const LanguageModel* m_language = nullptr;
};

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

/// Embeddings of `count` tokens behind `begin`; which they are makes no difference to their cost.
at::Tensor tokens(const LanguageModel& model, std::int64_t begin, std::int64_t count) {
    const at::Tensor ids
        = at::arange(begin, begin + count, at::kLong).remainder(model.config().vocabulary);
    return model.embed(ids).unsqueeze(0); // [1, count, C]
}

TokenCost measured(const LanguageModel& model, KvCacheMode mode, std::int64_t position, int repeats,
    const std::stop_token& stop) {
    MemoryLedger& ledger = cpuLedger();
    TokenCost cost{mode, position, 0, 0, 0, 0, 0};
    const std::int64_t before = ledger.live();
    const auto session = mode == KvCacheMode::On ? cachedSession(model, position + repeats)
                                                 : uncachedSession(model, position + repeats);
    session->feed(tokens(model, 0, position), stop); // the prompt, which also warms up
    cost.keptBytes = ledger.live() - before;
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const at::Tensor next = tokens(model, position + i, 1);
        PeakWindow window(ledger);
        const auto begin = std::chrono::steady_clock::now();
        const at::Tensor logits = model.logits(session->feed(next, stop)); // [V]
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count());
        cost.extraPeakBytes = std::max(cost.extraPeakBytes, window.peak() - window.liveAtStart());
    }
    std::ranges::sort(times);
    cost.ms = times[times.size() / 2];
    cost.lowMs = times.front();
    cost.highMs = times.back();
    return cost;
}

} // namespace

std::optional<LanguageConfig> publishedLanguage(std::string_view name) {
    if (name == "nanovlm-222m")
        return smolLm(576, 30, 9, 3, 1536, 49152);
    if (name == "nanovlm-450m")
        return smolLm(960, 32, 15, 5, 2560, 49218);
    return std::nullopt;
}

std::int64_t cacheBytesPerToken(const LanguageConfig& config, Precision precision) {
    return 2 * config.layers * config.kvHeads * config.headDim * elementBytes(precision);
}

std::vector<TokenCost> measureTokens(const TokenCostPlan& plan,
    const std::function<void(const TokenCost&)>& onCost, const std::stop_token& stop) {
    installCountingAllocator();
    prepareRequest({});
    if (plan.threads > 0)
        at::set_num_threads(plan.threads);
    const Subject subject(plan);
    const c10::InferenceMode inference;
    check(plan, subject.language().config());
    const MemoryBudget budget(cpuLedger(), defaultMemoryLimit(cpuLedger().live()));
    std::vector<TokenCost> costs;
    for (const KvCacheMode mode : plan.modes)
        for (const std::int64_t position : plan.positions) {
            throwIfStopped(stop);
            costs.push_back(measured(subject.language(), mode, position, plan.repeats, stop));
            budget.check();
            onCost(costs.back());
        }
    return costs;
}

} // namespace maskscope
