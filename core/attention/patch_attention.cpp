// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/patch_attention.h"

#include "core/attention/attend.h"
#include "core/attention/attention_peak.h"
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/base/pieces.h"
#include "core/base/shape.h"
#include "core/ring/grid_attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_native_multi_head_attention.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>

#include <limits>

// Note [Lean attention]
// Without gradients the layer holds one [B, P, C] result and, at a time, the keys and values of a
// few heads and the queries of a few rows. Each piece is the same product of the same numbers as in
// the plain composition, so results have the same bytes; and no call is long, so that a stop is
// seen soon.
namespace maskscope {

namespace {

enum Projection : std::int64_t { kQuery, kKey, kValue };

bool anyHidden(const at::Tensor& hidden) {
    return hidden.defined() && hidden.any().item<bool>();
}

/// NaN in a hidden patch would pass the mask as 0 * NaN.
at::Tensor cleaned(const at::Tensor& part, const at::Tensor& hidden) {
    return hidden.defined() ? part.masked_fill_(hidden, 0) : part;
}

} // namespace

PatchSelfAttention::PatchSelfAttention(
    Weights& weights, const std::string& name, std::int64_t width, std::int64_t heads)
    : m_name(name)
    , m_heads(heads)
    , m_inWeight(
          weights.take(name + ".in_proj_weight", {3 * width, width}, Init::fanIn(double(width))))
    , m_inBias(weights.take(name + ".in_proj_bias", {3 * width}, Init::zeros()))
    , m_out(weights, name + ".out_proj", width, width) { }

at::Tensor PatchSelfAttention::forward(
    const at::Tensor& x, const at::Tensor& padding, const AttentionRun& run) const {
    expectShape(x, {kAny, kAny, m_out.weight.size(0)}, "x");
    throwIfStopped(run.stop);
    at::Tensor hidden; // [B, P], true hides
    if (padding.defined()) {
        expectShape(padding, {x.size(0), x.size(1)}, "padding");
        hidden = at::isneginf(padding);
    }
    const bool gradients
        = c10::GradMode::is_enabled() && (x.requires_grad() || m_inWeight.requires_grad());
    if (gradients)
        return plain(x, hidden);
    RECORD_USER_SCOPE(m_name);
    auto out = dispatch(x, hidden, run);
    if (hidden.defined())
        out.masked_fill_(hidden.all(1).view({-1, 1, 1}), 0);
    return out;
}

at::Tensor PatchSelfAttention::dispatch(
    const at::Tensor& x, const at::Tensor& hidden, const AttentionRun& run) const {
    switch (run.path) {
    case AttentionPath::Mha:
        return native(x, hidden);
    case AttentionPath::Sdpa:
        return lean(x, hidden, run.stop);
    case AttentionPath::Flash:
        return packed(x, hidden, run.stop);
    case AttentionPath::Ring:
        if (run.ring)
            return ringed(x, hidden, run);
        break;
    case AttentionPath::Auto:
        break;
    }
    throw Failure(ErrorKind::Internal,
        "Patch attention got the path " + std::string(nameOf(run.path))
            + ", which has to be resolved before, and a ring needs its ranks.");
}

at::Tensor PatchSelfAttention::heads(
    const at::Tensor& x, std::int64_t projection, std::int64_t first, std::int64_t count) const {
    const auto C = x.size(2), D = C / m_heads;
    const auto begin = projection * C + first * D;
    return at::linear(
        x, m_inWeight.narrow(0, begin, count * D), m_inBias.narrow(0, begin, count * D))
        .view({x.size(0), x.size(1), count, D})
        .transpose(1, 2);
}

at::Tensor PatchSelfAttention::plain(const at::Tensor& x, const at::Tensor& hidden) const {
    const auto mixed = attend(heads(x, kQuery, 0, m_heads), heads(x, kKey, 0, m_heads),
        heads(x, kValue, 0, m_heads), additive(hidden, x.options()));
    return m_out(mixed.transpose(1, 2).reshape(x.sizes()));
}

at::Tensor PatchSelfAttention::additive(
    const at::Tensor& hidden, const at::TensorOptions& options) {
    if (!hidden.defined())
        return {};
    return at::zeros(hidden.sizes(), options)
        .masked_fill(hidden, -std::numeric_limits<double>::infinity())
        .view({hidden.size(0), 1, 1, hidden.size(1)});
}

at::Tensor PatchSelfAttention::native(const at::Tensor& x, const at::Tensor& hidden) const {
    constexpr std::int64_t kKeyPaddingMask = 1;
    // The mask is passed even where nothing is hidden, as in the trap that this path shows.
    const auto mask = hidden.defined()
        ? hidden
        : at::zeros({x.size(0), x.size(1)}, x.options().dtype(at::kBool));
    // NaN in a hidden patch would pass the mask as 0 * NaN.
    const auto clean = anyHidden(hidden) ? x.masked_fill(hidden.unsqueeze(-1), 0) : x;
    return std::get<0>(at::_native_multi_head_attention(clean, clean, clean, x.size(2), m_heads,
        m_inWeight, m_inBias, m_out.weight, m_out.bias, mask, false, true, kKeyPaddingMask));
}

at::Tensor PatchSelfAttention::lean(
    const at::Tensor& x, const at::Tensor& hidden, const std::stop_token& stop) const {
    const auto B = x.size(0), P = x.size(1);
    const AttentionPieces pieces = attentionPieces(B, m_heads, P);
    auto out = at::empty_like(x);
    const auto mask = additive(hidden, x.options());
    const auto dirty = anyHidden(hidden) ? hidden.unsqueeze(1).unsqueeze(-1) : at::Tensor();
    inPieces(m_heads, pieces.heads, stop, [&](std::int64_t head, std::int64_t count) {
        const auto k = cleaned(heads(x, kKey, head, count), dirty);
        const auto v = cleaned(heads(x, kValue, head, count), dirty);
        inPieces(P, pieces.rows, stop, [&](std::int64_t row, std::int64_t some) {
            const auto q = cleaned(heads(x.narrow(1, row, some), kQuery, head, count),
                dirty.defined() ? dirty.narrow(2, row, some) : dirty);
            columns(out.narrow(1, row, some), head, count)
                .copy_(attendCleaned(q, k, v, mask).transpose(1, 2));
        });
    });
    projectInPlace(out, stop);
    return out;
}

at::Tensor PatchSelfAttention::packed(
    const at::Tensor& x, const at::Tensor& hidden, const std::stop_token& stop) const {
    const bool packs = anyHidden(hidden);
    auto out = packs ? at::zeros_like(x) : at::empty_like(x);
    for (std::int64_t b = 0; b < x.size(0); ++b)
        mixPacked(x.narrow(0, b, 1),
            packs ? at::nonzero(hidden[b].logical_not()).squeeze(1) : at::Tensor(),
            out.narrow(0, b, 1), stop);
    projectInPlace(out, stop);
    return out;
}

void PatchSelfAttention::mixPacked(const at::Tensor& x, const at::Tensor& shown,
    const at::Tensor& out, const std::stop_token& stop) const {
    const bool packs = shown.defined();
    const auto T = packs ? shown.size(0) : x.size(1);
    const AttentionPieces pieces = attentionPieces(1, m_heads, T);
    const auto only
        = [&](const at::Tensor& part) { return packs ? part.index_select(2, shown) : part; };
    inPieces(T > 0 ? m_heads : 0, pieces.heads, stop, [&](std::int64_t head, std::int64_t count) {
        const auto k = only(heads(x, kKey, head, count)), v = only(heads(x, kValue, head, count));
        inPieces(T, pieces.rows, stop, [&](std::int64_t row, std::int64_t some) {
            const auto rows = packs ? shown.narrow(0, row, some) : at::Tensor();
            const auto tokens = packs ? x.index_select(1, rows) : x.narrow(1, row, some);
            const auto mixed = attendWithLse(heads(tokens, kQuery, head, count), k, v, {})
                                   .out.transpose(1, 2); // [1, some, count, D]
            if (packs)
                columns(out, head, count).index_copy_(1, rows, mixed);
            else
                columns(out.narrow(1, row, some), head, count).copy_(mixed);
        });
    });
}

// The ranks hold what they compute, so that each has its share of all but this one result.
at::Tensor PatchSelfAttention::ringed(
    const at::Tensor& x, const at::Tensor& hidden, const AttentionRun& run) const {
    const bool packs = anyHidden(hidden);
    auto out = packs ? at::zeros(x.sizes(), x.options()) : at::empty(x.sizes(), x.options());
    for (std::int64_t b = 0; b < x.size(0); ++b) {
        const auto shown = packs ? at::nonzero(hidden[b].logical_not()).squeeze(1) : at::Tensor();
        const RingPlan plan(packs ? shown.size(0) : x.size(1), run.ring->grid());
        const auto result
            = packs ? at::empty({plan.tokens(), x.size(2)}, x.options()) : out[b]; // [T, C]
        run.ring->run([layer = *this, plan, image = x[b], shown, result](
                          RingRank& rank) { layer.mixShare(rank, plan, image, shown, result); },
            run.stop);
        run.ring->gather(result, plan, run.stop);
        if (packs)
            out[b].index_copy_(0, shown, result);
    }
    return out;
}

void PatchSelfAttention::mixShare(RingRank& rank, const RingPlan& plan, const at::Tensor& x,
    const at::Tensor& shown, const at::Tensor& out) const {
    RECORD_USER_SCOPE(m_name);
    const RingShare share = plan.share(rank.index());
    const auto C = x.size(1), D = C / m_heads;
    const auto own = shown.defined() ? x.index_select(0, shown.narrow(0, share.begin, share.count))
                                     : x.narrow(0, share.begin, share.count); // [t, C]
    const auto mixed = at::empty({1, share.count, C}, x.options());
    const auto write = [&](std::int64_t head, std::int64_t count, const at::Tensor& q,
                           const at::Tensor& k, const at::Tensor& v) {
        for (const auto& [projection, heads] :
            {std::pair(kQuery, q), {kKey, k}, {kValue, v}}) { // [t, count, D]
            const auto begin = projection * C + head * D;
            auto into = heads.view({share.count, count * D});
            at::addmm_out(into, m_inBias.narrow(0, begin, count * D), own,
                m_inWeight.narrow(0, begin, count * D).t());
            rank.alive();
        }
    };
    gridAttend(rank, plan, write, columns(mixed, 0, m_heads)[0]);
    inPieces(share.count, kMostAttentionRows, {}, [&](std::int64_t row, std::int64_t some) {
        rank.alive();
        out.narrow(0, share.begin + row, some).copy_(m_out(mixed[0].narrow(0, row, some)));
    });
}

at::Tensor PatchSelfAttention::columns(
    const at::Tensor& x, std::int64_t head, std::int64_t count) const {
    const auto D = x.size(2) / m_heads;
    return x.narrow(2, head * D, count * D).view({x.size(0), x.size(1), count, D});
}

void PatchSelfAttention::projectInPlace(const at::Tensor& x, const std::stop_token& stop) const {
    inPieces(x.size(1), kMostAttentionRows, stop, [&](std::int64_t row, std::int64_t some) {
        const auto piece = x.narrow(1, row, some);
        piece.copy_(m_out(piece));
    });
}

PatchBlock::PatchBlock(
    Weights& weights, const std::string& name, std::int64_t width, std::int64_t heads)
    : m_norm1(weights, name + ".norm1", width)
    , m_attention(weights, name + ".attention", width, heads)
    , m_norm2(weights, name + ".norm2", width)
    , m_mlp(weights, name + ".mlp", width, 2 * width, width) { }

at::Tensor PatchBlock::forward(
    const at::Tensor& x, const at::Tensor& padding, const AttentionRun& run) const {
    auto attended = m_attention.forward(m_norm1(x), padding, run);
    if (attended.requires_grad() || x.requires_grad()) {
        attended = x + attended;
        return attended + m_mlp(m_norm2(attended));
    }
    attended.add_(x);
    inPieces(x.size(1), kMostMlpRows, run.stop, [&](std::int64_t row, std::int64_t some) {
        const auto piece = attended.narrow(1, row, some);
        piece.add_(m_mlp(m_norm2(piece)));
    });
    return attended;
}

} // namespace maskscope
