// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernels.h"
#include "kernels/softmax_state.h"

#include <bit>
#include <cstdint>

namespace maskscope::kernels::cpu {

namespace {

float floatOf(float number) {
    return number;
}

float floatOf(BFloat16 number) {
    return std::bit_cast<float>(std::uint32_t(number.bits) << 16);
}

void assign(float& to, float number) {
    to = number;
}

/// Rounded to the nearest, to even where two are; NaN stays NaN.
void assign(BFloat16& to, float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    const std::uint32_t quiet = (bits >> 16) | 0x40;
    to.bits = static_cast<std::uint16_t>(number == number ? rounded : quiet);
}

/// mergedElement() over one row of o, with the shares compared once, so that the loop vectorises.
template <class Out, class In>
void mergeRow(Out* out /*[D]*/, const float* o1 /*[D]*/, const In* o2 /*[D]*/,
    const MergedShares& shares, std::int64_t dim) {
    if (shares.first != 0 && shares.second != 0)
        for (std::int64_t d = 0; d < dim; ++d)
            assign(out[d], shares.first * o1[d] + shares.second * floatOf(o2[d]));
    else if (shares.second != 0) // it is 1
        for (std::int64_t d = 0; d < dim; ++d)
            assign(out[d], floatOf(o2[d]));
    else
        for (std::int64_t d = 0; d < dim; ++d)
            assign(out[d], shares.first != 0 ? o1[d] : 0.0F);
}

template <class In>
void mergeAll(const StateRows<float>& into, const StateRows<const In>& from, std::int64_t tokens,
    std::int64_t heads, std::int64_t dim) {
    for (std::int64_t t = 0; t < tokens; ++t)
        for (std::int64_t h = 0; h < heads; ++h) {
            float& lse = into.lse[t * into.lseToken + h * into.lseHead];
            const MergedShares shares
                = mergedShares(lse, from.lse[t * from.lseToken + h * from.lseHead]);
            float* const o = into.o + t * into.oToken + h * into.oHead;
            mergeRow(o, o, from.o + t * from.oToken + h * from.oHead, shares, dim);
            lse = shares.lse;
        }
}

} // namespace

void mergeStates(const StateRows<float>& into, const StateRows<const float>& from,
    std::int64_t tokens, std::int64_t heads, std::int64_t dim) {
    mergeAll(into, from, tokens, heads, dim);
}

void mergeStates(const StateRows<float>& into, const StateRows<const BFloat16>& from,
    std::int64_t tokens, std::int64_t heads, std::int64_t dim) {
    mergeAll(into, from, tokens, heads, dim);
}

void finishStates(const OutputRows& out, const StateRows<const float>& state,
    const StateRows<const BFloat16>& last, std::int64_t tokens, std::int64_t heads,
    std::int64_t dim) {
    for (std::int64_t t = 0; t < tokens; ++t)
        for (std::int64_t h = 0; h < heads; ++h)
            mergeRow(out.o + t * out.token + h * out.head,
                state.o + t * state.oToken + h * state.oHead,
                last.o + t * last.oToken + h * last.oHead,
                mergedShares(state.lse[t * state.lseToken + h * state.lseHead],
                    last.lse[t * last.lseToken + h * last.lseHead]),
                dim);
}

void mergeStates(float* o1, float* lse1, const float* o2, const float* lse2, std::int64_t tokens,
    std::int64_t heads, std::int64_t dim) {
    mergeStates(StateRows<float>{o1, lse1, heads * dim, dim, 1, tokens},
        StateRows<const float>{o2, lse2, heads * dim, dim, 1, tokens}, tokens, heads, dim);
}

} // namespace maskscope::kernels::cpu
