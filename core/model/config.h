// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// Numbers of a Llama-shaped language model; keys of config.json as in Hugging Face's LlamaConfig.
struct LanguageConfig {
    std::int64_t vocabulary = 0; ///< vocab_size
    std::int64_t width = 192; ///< hidden_size, C
    std::int64_t layers = 4; ///< num_hidden_layers
    std::int64_t heads = 6; ///< num_attention_heads, H
    std::int64_t kvHeads = 2; ///< num_key_value_heads, Hk; divides heads
    std::int64_t headDim = 32; ///< head_dim, D; even
    std::int64_t mlpWidth = 512; ///< intermediate_size
    std::int64_t mostPositions = 2048; ///< max_position_embeddings
    double normEpsilon = 1e-5; ///< rms_norm_eps
    double ropeBase = 10000; ///< rope_theta
};

/// The image side. The encoder itself is fixed (see VisionEncoder).
struct VisionConfig {
    std::int64_t width = 192; ///< hidden_size of a patch; the language model's width
    std::int64_t blocks = 2; ///< convolutional blocks after the encoder
    std::int64_t tokenSide
        = 16; ///< most patches per side before the 2 x 2 shuffle into image tokens
};

struct MaskConfig {
    std::int64_t width = 128; ///< of the decoder's patches
    std::int64_t heads = 8; ///< divides width and the vision width
    std::int64_t contextBlocks = 2; ///< patch attention once per image, at the vision width
    std::int64_t queryBlocks = 2; ///< patch attention per mask
};

/// config.json of a maskscope_lens folder. An object that exists is valid.
struct LensConfig {
    VisionConfig vision;
    LanguageConfig language;
    MaskConfig mask;
    /// Class names, K of them, as words ("cat", "traffic light"). Class K is background, K + 1
    /// unknown.
    std::vector<std::string> classes;
    std::int64_t trainingPixels = 65536; ///< default size of an image for the model
    std::int64_t mostPixels = 8388608; ///< largest size it accepts

    std::int64_t classCount() const { return std::int64_t(classes.size()) + 2; } ///< K + 2
};

/// Reads and checks; throws Failure(Model) that names the file, the key and what it must be.
/// Unknown keys are ignored.
LensConfig readLensConfig(const std::filesystem::path& file);

/// The same from text; `origin` is how sentences call it.
LensConfig parseLensConfig(std::string_view json, std::string_view origin);

/// Text of a config.json from which parseLensConfig gives an equal value.
std::string writeLensConfig(const LensConfig& config);

} // namespace maskscope
