// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/language_subject.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"
#include "core/model/weights.h"

#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>

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

std::int64_t parametersOf(const LanguageConfig& c) {
    const std::int64_t attention = c.width * c.headDim * (2 * c.heads + 2 * c.kvHeads);
    const std::int64_t layer = attention + 3 * c.width * c.mlpWidth + 2 * c.width;
    return c.vocabulary * c.width + c.layers * layer + c.width;
}

void refuseIfTooLarge(const LanguageConfig& config) {
    const std::int64_t bytes = parametersOf(config) * 4;
    const auto limit = defaultMemoryLimit(cpuLedger().live());
    if (limit && bytes > *limit)
        throw Failure(ErrorKind::Memory,
            "The weights of this shape take " + bytesText(bytes) + ", but only " + bytesText(*limit)
                + " are free: choose a smaller one.");
}

} // namespace

std::optional<LanguageConfig> publishedLanguage(std::string_view name) {
    if (name == "nanovlm-222m")
        return smolLm(576, 30, 9, 3, 1536, 49152);
    if (name == "nanovlm-450m")
        return smolLm(960, 32, 15, 5, 2560, 49218);
    return std::nullopt;
}

LanguageSubject::LanguageSubject(const LanguageSource& source, Precision precision, int threads) {
    installCountingAllocator();
    prepareRequest({});
    if (threads > 0)
        at::set_num_threads(threads);
    load(source, precision);
    m_budget.emplace(cpuLedger(), defaultMemoryLimit(cpuLedger().live()));
}

void LanguageSubject::load(const LanguageSource& source, Precision precision) {
    precision = resolved(precision);
    if (const auto* folder = std::get_if<std::filesystem::path>(&source)) {
        m_lens.reset(new LensModel(LensModel::load(*folder, precision))); // it does not move
        m_language = &m_lens->lens.language();
        return;
    }
    const auto& config = std::get<LanguageConfig>(source);
    refuseIfTooLarge(config);
    Weights weights = Weights::forTraining({}, Weights::Mismatch::Draw, kSeed);
    m_drawn = std::make_unique<LanguageModel>(weights, config, "language.model");
    for (const auto& drawn : weights.all()) {
        at::Tensor tensor = drawn.second; // shared with the model
        tensor.set_data(tensor.to(scalarTypeOf(precision)));
    }
    m_language = m_drawn.get();
}

at::Tensor tokensFor(const LanguageModel& model, std::int64_t begin, std::int64_t count) {
    const at::Tensor ids
        = at::arange(begin, begin + count, at::kLong).remainder(model.config().vocabulary);
    return model.embed(ids).unsqueeze(0); // [1, count, C]
}

} // namespace maskscope
