// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/chunk_sum.h"

#include "core/attention/attention_peak.h"
#include "core/base/shape.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

at::Tensor ofType(const at::Tensor& out, at::ScalarType type) {
    return out.scalar_type() == type ? out : at::empty(out.sizes(), out.options().dtype(type));
}

} // namespace

ChunkSum::ChunkSum(RingRank& rank, const ChunkChoice& choice, at::Tensor q, at::Tensor out,
    int chunks, std::int64_t mostKeys)
    : m_rank(rank)
    , m_choice(choice)
    , m_q(std::move(q))
    , m_out(std::move(out))
    , m_into(ofType(m_out, choice.type))
    , m_state(m_into, chunks)
    , m_left(chunks)
    , m_rows(attentionPieces(1, m_q.size(1), mostKeys).rows) {
    expectShape(m_q, {1, kAny, kAny, kAny}, "q");
    expectShape(m_out, {m_q.size(2), m_q.size(1), m_q.size(3)}, "out");
}

void ChunkSum::add(const at::Tensor& k, const at::Tensor& v, const std::string& name) {
    const ComputePiece piece = m_rank.piece(name);
    const ChunkPlace place = --m_left == 0 ? ChunkPlace::Last : ChunkPlace::Inner;
    const std::int64_t t = m_q.size(2);
    for (std::int64_t row = 0; row < t; row += m_rows) {
        const std::int64_t some = std::min(m_rows, t - row);
        m_state.merge(m_choice.kernel->attend(m_q.narrow(2, row, some), k, v), row, place);
        m_rank.alive();
    }
}

void ChunkSum::end() {
    if (!m_into.is_same(m_out))
        m_out.copy_(m_into);
}

at::Tensor tensorIn(const std::byte* data, at::IntArrayRef shape, at::ScalarType type) {
    return at::from_blob(const_cast<std::byte*>(data), shape, at::TensorOptions(type));
}

} // namespace maskscope
