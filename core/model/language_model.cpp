// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/language_model.h"

#include "core/attention/attend.h"
#include "core/base/cancelled.h"
#include "core/base/shape.h"
#include "core/memory/scope.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/silu.h>

#include <cmath>

namespace maskscope {

namespace {

/// Rotary positions (Su et al. 2021): cosines and sines of the tokens fed now.
struct Rotation {
    at::Tensor cosine; ///< [B or 1, 1, T, D]
    at::Tensor sine;

    Rotation(const at::Tensor& positions, const LanguageConfig& config, at::ScalarType type) {
        const auto options = positions.options().dtype(at::kFloat);
        const auto exponents = at::arange(0, config.headDim, 2, options) / double(config.headDim);
        const auto frequencies = at::pow(config.ropeBase, -exponents); // [D / 2]
        auto angles = positions.to(at::kFloat).unsqueeze(-1) * frequencies;
        angles = at::cat({angles, angles}, -1);
        if (angles.dim() == 2)
            angles = angles.unsqueeze(0);
        cosine = angles.cos().to(type).unsqueeze(1);
        sine = angles.sin().to(type).unsqueeze(1);
    }

    at::Tensor operator()(const at::Tensor& x /*[B, H, T, D]*/) const {
        const auto half = x.size(-1) / 2;
        const auto turned = at::cat({-x.narrow(-1, half, half), x.narrow(-1, 0, half)}, -1);
        return x * cosine + turned * sine;
    }
};

} // namespace

struct LanguageModel::Layer {
    Layer(Weights& weights, const LanguageConfig& config, const std::string& name)
        : inputNorm(weights, name + ".input_layernorm", config.width, config.normEpsilon)
        , q(weights, name + ".self_attn.q_proj", config.width, config.heads * config.headDim,
              Bias::Without)
        , k(weights, name + ".self_attn.k_proj", config.width, config.kvHeads * config.headDim,
              Bias::Without)
        , v(weights, name + ".self_attn.v_proj", config.width, config.kvHeads * config.headDim,
              Bias::Without)
        , o(weights, name + ".self_attn.o_proj", config.heads * config.headDim, config.width,
              Bias::Without, std::sqrt(0.5 / double(config.layers)))
        , mlpNorm(weights, name + ".post_attention_layernorm", config.width, config.normEpsilon)
        , gate(weights, name + ".mlp.gate_proj", config.width, config.mlpWidth, Bias::Without)
        , up(weights, name + ".mlp.up_proj", config.width, config.mlpWidth, Bias::Without)
        , down(weights, name + ".mlp.down_proj", config.mlpWidth, config.width, Bias::Without,
              std::sqrt(0.5 / double(config.layers))) { }

    /// `cache` is null without memory.
    at::Tensor operator()(const at::Tensor& x, const Rotation& rotate, const at::Tensor& mask,
        KvCache* cache, const LanguageConfig& config) const {
        const auto B = x.size(0), T = x.size(1);
        const auto normed = inputNorm(x);
        const auto heads = [&](const Linear& project, std::int64_t count) {
            return project(normed).view({B, T, count, config.headDim}).transpose(1, 2);
        };
        const auto queries = rotate(heads(q, config.heads));
        auto keys = rotate(heads(k, config.kvHeads));
        auto values = heads(v, config.kvHeads);
        if (cache) {
            cache->append(keys, values);
            keys = cache->keys();
            values = cache->values();
        }
        const auto S = keys.size(2);
        const auto hides = !mask.defined() && T > 1 ? causalMask(T, S, x.options()) : mask;
        const auto mixed = attend(queries, keys, values, hides)
                               .transpose(1, 2)
                               .reshape({B, T, config.heads * config.headDim});
        const auto attended = x + o(mixed);
        const auto inner = mlpNorm(attended);
        return attended + down(at::silu(gate(inner)) * up(inner));
    }

    RmsNorm inputNorm;
    Linear q, k, v, o;
    RmsNorm mlpNorm;
    Linear gate, up, down;
};

LanguageModel::LanguageModel(
    Weights& weights, const LanguageConfig& config, const std::string& prefix)
    : m_config(config)
    , m_embedding(weights.take(prefix + "model.embed_tokens.weight",
          {config.vocabulary, config.width}, Init::normal(0.06)))
    , m_layers([&] {
        std::vector<Layer> layers;
        for (std::int64_t i = 0; i < config.layers; ++i)
            layers.emplace_back(weights, config, prefix + "model.layers." + std::to_string(i));
        return layers;
    }())
    , m_norm(weights, prefix + "model.norm", config.width, config.normEpsilon) { }

LanguageModel::~LanguageModel() = default;
LanguageModel::LanguageModel(LanguageModel&&) noexcept = default;

at::Tensor LanguageModel::embed(const at::Tensor& ids) const {
    return at::embedding(m_embedding, ids);
}

at::Tensor LanguageModel::forward(const at::Tensor& embeddings, const at::Tensor& positions,
    const at::Tensor& mask, const std::stop_token& stop) const {
    expectShape(embeddings, {kAny, kAny, m_config.width}, "embeddings");
    const Rotation rotate(positions, m_config, embeddings.scalar_type());
    auto x = embeddings;
    for (const auto& layer : m_layers) {
        throwIfStopped(stop);
        x = layer(x, rotate, mask, nullptr, m_config);
    }
    return m_norm(x);
}

SequenceState LanguageModel::newState(std::int64_t batch, std::int64_t capacity) const {
    const MemoryScope scope(MemoryCategory::KvCache);
    std::vector<std::unique_ptr<LayerState>> layers;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        layers.push_back(std::make_unique<KvCache>(
            batch, m_config.kvHeads, capacity, m_config.headDim, m_embedding.options()));
    return SequenceState(std::move(layers));
}

at::Tensor LanguageModel::extend(
    SequenceState& state, const at::Tensor& embeddings, const std::stop_token& stop) const {
    expectShape(embeddings, {kAny, kAny, m_config.width}, "embeddings");
    const auto start = state.length();
    try {
        const auto positions
            = at::arange(start, start + embeddings.size(1), embeddings.options().dtype(at::kLong));
        const Rotation rotate(positions, m_config, embeddings.scalar_type());
        auto x = embeddings;
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            throwIfStopped(stop);
            x = m_layers[i](x, rotate, {}, &dynamic_cast<KvCache&>(state.layer(i)), m_config);
        }
        return m_norm(x);
    } catch (...) {
        state.truncate(start);
        throw;
    }
}

void LanguageModel::addPeak(PeakSum& sum, std::int64_t T, std::int64_t S, Memory memory) const {
    constexpr std::int64_t kLong = 8; // bytes
    const auto C = m_config.width, queries = m_config.heads * m_config.headDim,
               keys = m_config.kvHeads * m_config.headDim;
    const auto held = sum.held();
    sum.takeBytes(kLong * T); // positions
    sum.take(2 * T * m_config.headDim); // cosine, sine
    sum.take(T * (2 * C + queries)); // a layer's input, normalised, and what it asks
    if (memory == Memory::Uncached)
        sum.take(2 * T * keys);
    if (T > 1) {
        const auto fed = memory == Memory::Cached ? 2 * T * keys : 0;
        sum.passBytes((fed + 2 * T * S) * sum.elementBytes() + 2 * T * S); // which hides what
        sum.take(T * S);
    }
    sum.take(T * (queries + 2 * C)); // mixed, attended, normalised
    sum.pass(T * (4 * m_config.mlpWidth + 2 * C));
    sum.giveBytes(sum.held() - held);
    sum.take(T * C);
}

std::int64_t LanguageModel::stateBytes(std::int64_t capacity, std::int64_t elementBytes) const {
    return 2 * m_config.layers * m_config.kvHeads * m_config.headDim * capacity * elementBytes;
}

at::Tensor LanguageModel::logits(const at::Tensor& hidden) const {
    return at::linear(hidden, m_embedding);
}

} // namespace maskscope
