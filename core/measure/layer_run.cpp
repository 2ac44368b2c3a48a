// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/layer_run.h"

#include "core/attention/patch_attention.h"
#include "core/memory/scope.h"
#include "core/ring/ring_devices.h"
#include "core/ring/thread_ranks.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/_transformer_encoder_layer_fwd.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <ATen/record_function.h>
#include <torch/nn/modules/activation.h>

#include <memory>
#include <string>
#include <vector>

namespace maskscope {

namespace {

constexpr std::uint64_t kSeed = 5;

Weights drawnWeights() {
    return Weights::forTraining({}, Weights::Mismatch::Refuse, kSeed);
}

void convert(const Weights& weights, at::ScalarType type) {
    for (const auto& [name, tensor] : weights.all())
        tensor.set_data(tensor.to(type));
}

/// Null for paths without one.
std::shared_ptr<ThreadRanks> ranksOf(const LayerShape& shape) {
    if (shape.path != LayerPath::Ring)
        return nullptr;
    return std::make_shared<ThreadRanks>(
        RingSettings{checkedRingDevices(shape.ringDevices), at::get_num_threads(), 0, {}});
}

LayerRun attentionLayer(const LayerShape& shape) {
    auto weights = drawnWeights();
    const auto layer
        = std::make_shared<PatchSelfAttention>(weights, "attention", shape.width, shape.heads);
    convert(weights, scalarTypeOf(shape));
    const auto ranks = ranksOf(shape);
    const AttentionRun run{*attentionPathOf(shape.path), {}, ranks.get()};
    return {[layer, run](const at::Tensor& x, const at::Tensor& padding) {
                return layer->forward(x, padding, run);
            },
        ranks};
}

LayerRun decoderBlocks(const LayerShape& shape) {
    auto weights = drawnWeights();
    const auto blocks = std::make_shared<std::vector<PatchBlock>>();
    for (std::int64_t i = 0; i < shape.blocks; ++i)
        blocks->emplace_back(weights, "blocks." + std::to_string(i), shape.width, shape.heads);
    convert(weights, scalarTypeOf(shape));
    const auto ranks = ranksOf(shape);
    const AttentionRun run{*attentionPathOf(shape.path), {}, ranks.get()};
    return {[blocks, run](const at::Tensor& x, const at::Tensor& padding) {
                at::Tensor out = x;
                for (const PatchBlock& block : *blocks)
                    out = block.forward(out, padding, run);
                return out;
            },
        ranks};
}

LayerRun cppModule(const LayerShape& shape) {
    auto weights = drawnWeights();
    const PatchSelfAttention drawn(weights, "attention", shape.width, shape.heads);
    torch::nn::MultiheadAttention module(
        torch::nn::MultiheadAttentionOptions(shape.width, shape.heads));
    for (const auto& [name, tensor] : weights.all())
        module->named_parameters()[name.substr(std::string("attention.").size())].set_data(
            tensor.to(scalarTypeOf(shape)));
    module->eval();
    return {[module](const at::Tensor& x, const at::Tensor& padding) {
                RECORD_USER_SCOPE("MultiheadAttention");
                const auto tokens = x.transpose(0, 1); // [P, 1, C]
                auto layer = module;
                return std::get<0>(
                    layer->forward(tokens, tokens, tokens, at::isneginf(padding), false))
                    .transpose(0, 1);
            },
        nullptr};
}

LayerRun encoderLayer(const LayerShape& shape) {
    auto weights = drawnWeights();
    const PatchBlock drawn(weights, "block", shape.width, shape.heads);
    convert(weights, scalarTypeOf(shape));
    const auto named = [tensors = weights.all()](const std::string& name) {
        for (const auto& [other, tensor] : tensors)
            if (other == "block." + name)
                return tensor;
        return at::Tensor();
    };
    return {[named, shape](const at::Tensor& x, const at::Tensor& padding) {
                RECORD_USER_SCOPE("TransformerEncoderLayer");
                constexpr std::int64_t kKeyPaddingMask = 1;
                return at::_transformer_encoder_layer_fwd(x, shape.width, shape.heads,
                    named("attention.in_proj_weight"), named("attention.in_proj_bias"),
                    named("attention.out_proj.weight"), named("attention.out_proj.bias"), true,
                    true, 1e-5, named("norm1.weight"), named("norm1.bias"), named("norm2.weight"),
                    named("norm2.bias"), named("mlp.up.weight"), named("mlp.up.bias"),
                    named("mlp.down.weight"), named("mlp.down.bias"), at::isneginf(padding),
                    kKeyPaddingMask);
            },
        nullptr};
}

} // namespace

LayerRun makeLayer(const LayerShape& shape) {
    checkLayer(shape);
    const MemoryScope scope(MemoryCategory::Weights);
    if (shape.path == LayerPath::CppModule)
        return cppModule(shape);
    if (shape.path == LayerPath::EncoderLayer)
        return encoderLayer(shape);
    return shape.blocks > 0 ? decoderBlocks(shape) : attentionLayer(shape);
}

at::Tensor layerInput(const LayerShape& shape) {
    const auto generator = at::make_generator<at::CPUGeneratorImpl>(kSeed);
    return at::randn({1, shape.patches, shape.width}, generator).to(scalarTypeOf(shape));
}

at::Tensor layerPadding(const LayerShape& shape) {
    return at::zeros({1, shape.patches}, scalarTypeOf(shape));
}

at::ScalarType scalarTypeOf(const LayerShape& shape) {
    switch (shape.precision) {
    case Precision::BFloat16:
        return at::kBFloat16;
    case Precision::Float16:
        return at::kHalf;
    default:
        return at::kFloat;
    }
}

} // namespace maskscope
