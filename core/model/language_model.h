// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/kv_cache.h"
#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/peak_sum.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// Llama (Touvron et al. 2023): RMSNorm, rotary positions (half-split), grouped-query attention,
/// SwiGLU; the output head is the embedding. Names are Hugging Face's under `prefix`, for example
/// "language.model.layers.0.self_attn.q_proj.weight".
class LanguageModel {
public:
    LanguageModel(Weights& weights, const LanguageConfig& config, const std::string& prefix);
    ~LanguageModel();
    LanguageModel(LanguageModel&&) noexcept;

    const LanguageConfig& config() const { return m_config; }

    at::Tensor embedding() const { return m_embedding; } ///< [V, C]
    at::Tensor embed(const at::Tensor& ids /*[...] int64*/) const; ///< [..., C]

    /// Without memory: for training, and for the uncached mode. positions [T] or [B, T] int64; mask
    /// additive [B or 1, 1, T, T], or undefined for a causal sequence. Gives [B, T, C] after the
    /// final norm.
    at::Tensor forward(const at::Tensor& embeddings /*[B, T, C]*/, const at::Tensor& positions,
        const at::Tensor& mask, const std::stop_token& stop = {}) const;

    /// An empty memory for `capacity` tokens (MemoryCategory::KvCache).
    SequenceState newState(std::int64_t batch, std::int64_t capacity) const;

    /// Feeds the next T tokens of a sequence; their positions follow state.length(). Gives [B, T,
    /// C] after the final norm. When it throws (stopped, no memory), the state is as before.
    at::Tensor extend(SequenceState& state, const at::Tensor& embeddings /*[B, T, C]*/,
        const std::stop_token& stop = {}) const;

    enum class Memory { Cached, Uncached };
    /// The memory of extend() and forward() with T tokens fed, S in all; the result stays.
    void addPeak(PeakSum& sum, std::int64_t T, std::int64_t S, Memory memory) const;
    std::int64_t stateBytes(std::int64_t capacity, std::int64_t elementBytes) const;

    at::Tensor logits(const at::Tensor& hidden /*[..., C]*/) const; ///< [..., V]

private:
    struct Layer;
    LanguageConfig m_config;
    at::Tensor m_embedding; ///< [V, C]
    std::vector<Layer> m_layers;
    RmsNorm m_norm;
};

} // namespace maskscope
