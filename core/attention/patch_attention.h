// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"
#include "core/model/layers.h"
#include "core/model/weights.h"

#include <ATen/core/Tensor.h>

#include <stop_token>
#include <string>

namespace maskscope {

class Ring;
class RingPlan;
class RingRank;

/// How patches attend in one run. `path` is resolved (never Auto).
struct AttentionRun {
    AttentionPath path = AttentionPath::Sdpa;
    std::stop_token stop;
    Ring* ring = nullptr; ///< the ranks of AttentionPath::Ring
};

/// Self-attention among the P patches of an image: one set of weights, several ways to compute it.
///  mha    at::_native_multi_head_attention; holds H x P x P scores; without gradients only
///  sdpa   scaled dot-product attention with an additive padding mask
///  flash  the flash kernel on packed tokens (padding removed), which also gives the log-sum-exp
///  ring   flash over the ranks of a ring, each of which computes its share of the packed tokens
/// All give equal results up to rounding. With gradients the plain differentiable composition runs.
/// Parameters have torch.nn.MultiheadAttention's names.
class PatchSelfAttention {
public:
    PatchSelfAttention(
        Weights& weights, const std::string& name, std::int64_t width, std::int64_t heads);

    /// x [B, P, C]; padding [B, P] additive (0 keeps, -inf hides) or undefined. Rows of hidden
    /// patches are unspecified but finite; an image whose patches are all hidden gives zeros; what
    /// hidden patches hold (NaN included) never reaches the others. Gives [B, P, C].
    at::Tensor forward(
        const at::Tensor& x, const at::Tensor& padding, const AttentionRun& run) const;

private:
    /// `hidden` [B, P] bool, true hides, or undefined. Without gradients.
    at::Tensor dispatch(
        const at::Tensor& x, const at::Tensor& hidden, const AttentionRun& run) const;
    at::Tensor plain(const at::Tensor& x, const at::Tensor& hidden) const;
    at::Tensor native(const at::Tensor& x, const at::Tensor& hidden) const;
    at::Tensor lean(
        const at::Tensor& x, const at::Tensor& hidden, const std::stop_token& stop) const;
    at::Tensor packed(
        const at::Tensor& x, const at::Tensor& hidden, const std::stop_token& stop) const;
    /// Of one image: the tokens at `shown` [T], or all where it is undefined, into out [1, P, C].
    void mixPacked(const at::Tensor& x, const at::Tensor& shown, const at::Tensor& out,
        const std::stop_token& stop) const;
    at::Tensor ringed(const at::Tensor& x, const at::Tensor& hidden, const AttentionRun& run) const;
    /// One rank's share of an image: of the tokens at `shown` [T], or of all where it is undefined.
    void mixShare(RingRank& rank, const RingPlan& plan, const at::Tensor& x /*[P, C]*/,
        const at::Tensor& shown, const at::Tensor& out /*[T, C]*/) const;
    /// The columns of `count` heads from `head` on: [B, P, count, D], a view.
    at::Tensor columns(const at::Tensor& x, std::int64_t head, std::int64_t count) const;
    void projectInPlace(const at::Tensor& x, const std::stop_token& stop) const;

    /// Queries, keys or values of `count` heads from `first` on: [B, count, P, D].
    at::Tensor heads(
        const at::Tensor& x, std::int64_t projection, std::int64_t first, std::int64_t count) const;
    /// hidden as an additive mask [B, 1, 1, P]; undefined if it is.
    static at::Tensor additive(const at::Tensor& hidden, const at::TensorOptions& options);

    std::string m_name; ///< of the module, for observers
    std::int64_t m_heads;
    at::Tensor m_inWeight; ///< [3C, C]
    at::Tensor m_inBias; ///< [3C]
    Linear m_out;
};

/// Pre-norm block: x + attention(norm(x)), then x + mlp(norm(x)) with an MLP twice as wide.
class PatchBlock {
public:
    PatchBlock(Weights& weights, const std::string& name, std::int64_t width, std::int64_t heads);
    at::Tensor forward(
        const at::Tensor& x, const at::Tensor& padding, const AttentionRun& run) const;

private:
    LayerNorm m_norm1;
    PatchSelfAttention m_attention;
    LayerNorm m_norm2;
    Mlp m_mlp;
};

} // namespace maskscope
