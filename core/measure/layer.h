// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention_peak.h"
#include "core/engine/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// What can be measured and audited as one layer: the ways of PatchSelfAttention, and two that
/// LibTorch has beside them, for comparison only.
enum class LayerPath {
    Mha,
    Sdpa,
    Flash,
    Ring,
    CppModule, ///< torch::nn::MultiheadAttention of C++, which always holds its matrices
    EncoderLayer, ///< at::_transformer_encoder_layer_fwd: the native attention with norms and MLP
};

/// "mha", "sdpa", "flash", "ring", "cpp-module", "encoder-layer".
std::string_view nameOf(LayerPath path);
std::optional<LayerPath> layerPathFrom(std::string_view name);
/// The attention path of a decoder's layer; nothing for the two others.
std::optional<AttentionPath> attentionPathOf(LayerPath path);
/// Whether it holds matrices of P x P.
bool materialises(LayerPath path);

/// One attention layer, or `blocks` decoder blocks, over P patches of one image with a padding mask
/// that hides nothing.
struct LayerShape {
    LayerPath path = LayerPath::Sdpa;
    std::int64_t patches = 1024;
    std::int64_t heads = 16;
    std::int64_t width = 1024;
    std::int64_t blocks = 0; ///< 0 is one attention layer alone
    Precision precision = Precision::Float32;
    std::vector<std::string> ringDevices = {}; ///< of LayerPath::Ring, see RunSettings
};

inline constexpr std::int64_t kMostLayerPatches = 1 << 20;

/// Throws Failure(Usage) for sizes that do not fit each other, Failure(Device) for a path that this
/// build does not have.
void checkLayer(const LayerShape& shape);

/// The same for those who watch the operations of one thread: the ranks of a ring are others.
void checkWatchedLayer(const LayerShape& shape);

/// The layer's attention for predictions; `threads` is resolved.
AttentionShape attentionShapeOf(const LayerShape& shape, int threads);

/// The highest live tensor bytes of one run above those before it.
std::int64_t layerPeakBytes(const LayerShape& shape, int threads);

/// "mha over 1024 patches".
std::string textOf(const LayerShape& shape);

} // namespace maskscope
