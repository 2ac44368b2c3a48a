// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attend.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace maskscope {

/// Whether more chunks follow for the same queries.
enum class ChunkPlace { Inner, Last };

/// The running-softmax state of T queries in H heads over the keys that were merged into it (see
/// kernels/softmax_state.h): empty at first, and after the last chunk the attention over all. It is
/// kept in float32, so that more chunks do not add to the rounding.
class SoftmaxState {
public:
    /// The attention goes into `out` [T, H, D], whatever it holds: float32, bfloat16 or float16, a
    /// row's D numbers together, the rest may be a view. It is complete with each row's last chunk,
    /// and rows without one stay as they are. `chunks` is how many each row gets.
    SoftmaxState(at::Tensor out, int chunks);

    /// Adds disjoint keys for the queries from `begin` on: part.out [1, H, t, D] of out's type, t
    /// may be less than T.
    void merge(const Attended& part, std::int64_t begin, ChunkPlace place);

    const at::Tensor& lse() const { return m_lse; } ///< [H, T] of all but last bfloat16 chunks

private:
    at::Tensor m_out;
    at::Tensor m_o; ///< [T, H, D] float32; m_out itself where that is
    at::Tensor m_lse;
};

} // namespace maskscope
