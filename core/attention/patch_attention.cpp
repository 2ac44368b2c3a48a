// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/patch_attention.h"

#include "core/base/cancelled.h"
#include "core/base/shape.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scaled_dot_product_attention.h>

namespace maskscope {

PatchSelfAttention::PatchSelfAttention(
    Weights& weights, const std::string& name, std::int64_t width, std::int64_t heads)
    : m_heads(heads)
    , m_inWeight(
          weights.take(name + ".in_proj_weight", {3 * width, width}, Init::fanIn(double(width))))
    , m_inBias(weights.take(name + ".in_proj_bias", {3 * width}, Init::zeros()))
    , m_out(weights, name + ".out_proj", width, width) { }

at::Tensor PatchSelfAttention::forward(
    const at::Tensor& x, const at::Tensor& padding, const AttentionRun& run) const {
    throwIfStopped(run.stop);
    const auto B = x.size(0), P = x.size(1), C = x.size(2);
    const auto qkv = at::linear(x, m_inWeight, m_inBias)
                         .view({B, P, 3, m_heads, C / m_heads})
                         .permute({2, 0, 3, 1, 4}); // [3, B, H, P, D]
    std::optional<at::Tensor> mask;
    if (padding.defined())
        mask = padding.view({B, 1, 1, P});
    const auto mixed = at::scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], mask);
    return m_out(mixed.transpose(1, 2).reshape({B, P, C}));
}

PatchBlock::PatchBlock(
    Weights& weights, const std::string& name, std::int64_t width, std::int64_t heads)
    : m_norm1(weights, name + ".norm1", width)
    , m_attention(weights, name + ".attention", width, heads)
    , m_norm2(weights, name + ".norm2", width)
    , m_mlp(weights, name + ".mlp", width, 2 * width, width) { }

at::Tensor PatchBlock::forward(
    const at::Tensor& x, const at::Tensor& padding, const AttentionRun& run) const {
    const auto attended = x + m_attention.forward(m_norm1(x), padding, run);
    return attended + m_mlp(m_norm2(attended));
}

} // namespace maskscope
