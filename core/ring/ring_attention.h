// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/ring.h"
#include "core/ring/ring_plan.h"

#include <ATen/core/Tensor.h>

#include <functional>

namespace maskscope {

/// Writes a group's own keys into kv[0] and its values into kv[1], [t, H, D] each.
using OwnWriter = std::function<void(const at::Tensor& kv /*[2, t, H, D]*/)>;

/// What one rank does in softmax(q k^T / sqrt(D)) v over the tokens of `plan`, with keys and values
/// that go round between the groups: its group's queries q [1, H, t, D], in a type that a chunk
/// kernel takes, over those of all groups, into out [t, H, D], a view whose D numbers lie together.
/// t is the group's share and may be 0: then the rank only passes on, and writeOwn is not called.
/// All ranks at one place of their groups call it with the same plan, H, D and type. Without
/// gradients.
void ringAttend(RingRank& rank, const RingPlan& plan, const at::Tensor& q,
    const OwnWriter& writeOwn, const at::Tensor& out);

} // namespace maskscope
