// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attend.h"

#include "core/base/shape.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <limits>
#include <optional>

namespace maskscope {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

/// k and v without what nobody may see, and which rows see nothing.
struct Visible {
    at::Tensor k;
    at::Tensor v;
    at::Tensor blindRows; ///< [B or 1, H or 1, T or 1, 1] bool; undefined when there are none

    Visible(const at::Tensor& keys, const at::Tensor& values, const at::Tensor& mask)
        : k(keys)
        , v(values) {
        if (!mask.defined())
            return;
        const auto hidden = at::isneginf(mask); // [B|1, H|1, T|1, S]
        const auto unseen = hidden.all(1, true).all(2, true).transpose(2, 3); // [B|1, 1, S, 1]
        // An additive -inf does not stop NaN: 0 * NaN is NaN.
        if (unseen.any().item<bool>()) {
            k = k.masked_fill(unseen, 0);
            v = v.masked_fill(unseen, 0);
        }
        const auto blind = hidden.all(3, true);
        if (blind.any().item<bool>())
            blindRows = blind;
    }
};

void expectAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    expectShape(q, {kAny, kAny, kAny, kAny}, "q");
    expectShape(k, {q.size(0), kAny, kAny, q.size(3)}, "k");
    expectShape(v, {q.size(0), k.size(1), k.size(2), q.size(3)}, "v");
}

/// Key/value heads repeated for the query heads that share them.
at::Tensor shared(const at::Tensor& x /*[B, Hk, S, D]*/, std::int64_t H) {
    const auto B = x.size(0), Hk = x.size(1), S = x.size(2), D = x.size(3);
    if (Hk == H)
        return x;
    return x.unsqueeze(2).expand({B, Hk, H / Hk, S, D}).reshape({B, H, S, D});
}

} // namespace

at::Tensor attend(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask) {
    expectAttention(q, k, v);
    if (k.size(2) == 0)
        return at::zeros_like(q);
    const Visible visible(k, v, mask);
    std::optional<at::Tensor> additive;
    if (mask.defined())
        additive = mask;
    // The kernel that shares heads by itself has no derivative.
    const bool share = !c10::GradMode::is_enabled();
    const auto H = q.size(1);
    const auto out = at::scaled_dot_product_attention(q, share ? visible.k : shared(visible.k, H),
        share ? visible.v : shared(visible.v, H), additive, 0, false, std::nullopt, share);
    return visible.blindRows.defined() ? out.masked_fill(visible.blindRows, 0) : out;
}

at::Tensor attendCleaned(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask) {
    std::optional<at::Tensor> additive;
    if (mask.defined())
        additive = mask;
    return at::scaled_dot_product_attention(q, k, v, additive, 0, false, std::nullopt, false);
}

Attended attendWithLse(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask) {
    expectAttention(q, k, v);
    const auto B = q.size(0), H = q.size(1), T = q.size(2), S = k.size(2);
    // An empty K divides by zero inside the kernel.
    if (S == 0)
        return {at::zeros_like(q), at::full({B, H, T}, kNone, q.options().dtype(at::kFloat))};
    const Visible visible(k, v, mask);
    std::optional<at::Tensor> additive;
    if (mask.defined())
        additive = mask.expand({mask.size(0), mask.size(1), T, S});
    auto [out, lse] = at::_scaled_dot_product_flash_attention_for_cpu(
        q, shared(visible.k, H), shared(visible.v, H), 0, false, additive);
    if (!visible.blindRows.defined())
        return {out, lse};
    // The kernel gives a blind row the log-sum-exp 0, which would outweigh others in a merge.
    return {out.masked_fill(visible.blindRows, 0),
        lse.masked_fill(visible.blindRows.squeeze(3), kNone)};
}

at::Tensor causalMask(std::int64_t T, std::int64_t S, const at::TensorOptions& options) {
    const auto hidden = at::ones({T, S}, options.dtype(at::kBool)).triu(S - T + 1);
    return at::zeros({T, S}, options).masked_fill(hidden, kNone).view({1, 1, T, S});
}

} // namespace maskscope
