// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/ring.h"
#include "core/ring/ring_plan.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

namespace maskscope {

/// Writes the queries, keys and values of a rank's own tokens in `count` heads from `head` on:
/// [t, count, D] each, views whose [count, D] numbers lie together, of one floating type.
using HeadsWriter = std::function<void(std::int64_t head, std::int64_t count, const at::Tensor& q,
    const at::Tensor& k, const at::Tensor& v)>;

/// What one rank does in softmax(q k^T / sqrt(D)) v over the tokens of `plan`, some heads after the
/// other: the result for its own tokens into out [t, H, D], a view whose D numbers lie together. t
/// is its share and may be 0; then it does its part for others, and `write` is not called. The
/// plan's grid is the ring's. All ranks call it with the same plan, H, D and type. Without
/// gradients. Throws Failure(Usage) where a group's ranks cannot share H heads.
void gridAttend(
    RingRank& rank, const RingPlan& plan, const HeadsWriter& write, const at::Tensor& out);

} // namespace maskscope
