// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/grid_attention.h"

namespace maskscope {

/// gridAttend() where groups have several ranks. Within a group each rank gets the queries, keys
/// and values of all of the group's tokens for its part of the heads, in one transfer from each
/// rank, attends to them (where there are several groups, together with those that go round between
/// them), and gives back what others' tokens got; see ulyssesPass().
void ulyssesAttend(
    RingRank& rank, const RingPlan& plan, const HeadsWriter& write, const at::Tensor& out);

} // namespace maskscope
