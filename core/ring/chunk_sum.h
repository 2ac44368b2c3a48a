// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/chunk_kernel.h"
#include "core/ring/ring.h"
#include "core/ring/softmax_state.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace maskscope {

/// Attention of a rank's queries over keys and values that come in chunks.
class ChunkSum {
public:
    /// q [1, H, t, D] of choice.type; out [t, H, D] of any floating type, a view whose D numbers
    /// lie together. `chunks` of at least one key will come, the largest of `mostKeys`.
    ChunkSum(RingRank& rank, const ChunkChoice& choice, at::Tensor q, at::Tensor out, int chunks,
        std::int64_t mostKeys);

    /// k, v [1, H, S, D], S >= 1. `name` is for the timeline.
    void add(const at::Tensor& k, const at::Tensor& v, const std::string& name);

    /// After the last chunk: out is complete.
    void end();

private:
    RingRank& m_rank;
    const ChunkChoice& m_choice;
    at::Tensor m_q;
    at::Tensor m_out;
    at::Tensor m_into; ///< m_out, or what is converted into it
    SoftmaxState m_state;
    int m_left; ///< chunks
    std::int64_t m_rows; ///< of queries in one call
};

/// The tensor in some bytes of a buffer, which goes on owning them.
at::Tensor tensorIn(const std::byte* data, at::IntArrayRef shape, at::ScalarType type);

} // namespace maskscope
