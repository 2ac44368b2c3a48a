// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/ring.h"
#include "core/ring/ring_plan.h"

#include <ATen/core/Tensor.h>

#include <functional>

namespace maskscope {

/// Writes a rank's own keys into kv[0] and its values into kv[1], [t, H, D] each.
using OwnWriter = std::function<void(const at::Tensor& kv /*[2, t, H, D]*/)>;

/// What one rank does in softmax(q k^T / sqrt(D)) v over the tokens of `plan`: its own queries q
/// [1, H, t, D] over the keys and values of all ranks, into out [t, H, D], a view whose D numbers
/// lie together. t is the rank's share and may be 0: then it only passes on, and writeOwn is not
/// called. All ranks call it with the same plan, H, D and type. Without gradients.
void ringAttend(RingRank& rank, const RingPlan& plan, const at::Tensor& q,
    const OwnWriter& writeOwn, const at::Tensor& out);

} // namespace maskscope
