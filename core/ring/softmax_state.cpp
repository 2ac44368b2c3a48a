// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/softmax_state.h"

#include "core/base/shape.h"
#include "kernels/kernels.h"
#include "kernels/softmax_state.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <utility>

namespace maskscope {

namespace {

constexpr std::int64_t kGrain = 16'384; ///< numbers that are worth a thread

/// From the token `first` on. A state that is never read may have no o.
template <class Number>
kernels::StateRows<Number> rowsOf(
    const at::Tensor& o /*[t, H, D]*/, const at::Tensor& lse /*[H, t]*/, std::int64_t first) {
    auto* const numbers = static_cast<Number*>(o.data_ptr());
    return {numbers ? numbers + first * o.stride(0) : nullptr,
        lse.mutable_data_ptr<float>() + first * lse.stride(1), o.stride(0), o.stride(1),
        lse.stride(1), lse.stride(0)};
}

} // namespace

SoftmaxState::SoftmaxState(at::Tensor out, int chunks)
    : m_out(std::move(out))
    , m_lse(at::full(
          {m_out.size(1), m_out.size(0)}, kernels::kEmptyLse, m_out.options().dtype(at::kFloat))) {
    expectShape(m_out, {kAny, kAny, kAny}, "out");
    if (m_out.scalar_type() == at::kFloat)
        m_o = m_out;
    else // a bfloat16 state of one chunk is never read
        m_o = at::empty({chunks > 1 || m_out.scalar_type() != at::kBFloat16 ? m_out.size(0) : 0,
                            m_out.size(1), m_out.size(2)},
            m_lse.options());
}

void SoftmaxState::merge(const Attended& part, std::int64_t begin, ChunkPlace place) {
    const auto H = m_out.size(1), D = m_out.size(2), t = part.out.size(2);
    expectShape(part.out, {1, H, kAny, D}, "out");
    expectShape(part.lse, {1, H, t}, "lse");
    const bool bf16 = m_out.scalar_type() == at::kBFloat16;
    const at::Tensor out = m_out.narrow(0, begin, t);
    const at::Tensor o = m_o.size(0) > 0 ? m_o.narrow(0, begin, t) : m_o;
    const at::Tensor lse = m_lse.narrow(1, begin, t), partLse = part.lse[0]; // [H, t]
    const at::Tensor partO
        = (bf16 ? part.out : part.out.to(at::kFloat))[0].transpose(0, 1); // [t, H, D]
    at::parallel_for(0, t, kGrain / (H * D) + 1, [&](std::int64_t first, std::int64_t last) {
        const auto count = last - first;
        if (!bf16)
            kernels::cpu::mergeStates(rowsOf<float>(o, lse, first),
                rowsOf<const float>(partO, partLse, first), count, H, D);
        else if (place == ChunkPlace::Inner)
            kernels::cpu::mergeStates(rowsOf<float>(o, lse, first),
                rowsOf<const kernels::BFloat16>(partO, partLse, first), count, H, D);
        else
            kernels::cpu::finishStates(
                {static_cast<kernels::BFloat16*>(out.data_ptr()) + first * out.stride(0),
                    out.stride(0), out.stride(1)},
                rowsOf<const float>(o, lse, first),
                rowsOf<const kernels::BFloat16>(partO, partLse, first), count, H, D);
    });
    if (m_out.scalar_type() == at::kHalf && place == ChunkPlace::Last)
        out.copy_(o);
}

} // namespace maskscope
